/**
 * Connections to PostgreSQL. Each runs one statement at a time, and each statement has a time limit. A connection whose
 * state is in doubt is thrown away: a statement had no answer in time, its caller gave it up, or the server's error is
 * about the connection (sqlState.ts).
 *
 * Hard cases: a server that is lost silently (no FIN, no RST), or hangs, never answers. So the client has its own time
 * limit, later than the server's. A statement whose caller gives it up may still run. Its connection is cut, which ends
 * the wait immediately; the server's limit ends the statement.
 */
import type { Socket } from "node:net"
import { Duration } from "effect"
import { Client, Pool } from "pg"
import { codeOf, consequenceOf } from "../sql/sqlState.ts"

/** The catalog's statements are short and few. */
const MAX_CONNECTIONS = 8
const CONNECT_TIMEOUT_MS = 5000
/**
 * How much later the client's limit is than the server's: a server that answers ends the statement and keeps the
 * connection.
 */
const CLIENT_LATER_MS = 1000
/** How long an idle connection is silent before the system asks whether the server is there. */
const KEEP_ALIVE_AFTER_MS = 10_000

/** Settings that our statements rely on. They override those of the server, the database and the role. */
const relied: Readonly<Record<string, string>> = {
  // Doubles are returned to the last bit: a lap's points are found by its times.
  extra_float_digits: "1",
  DateStyle: "ISO",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
  // A statement waits for the rows of another transaction, and then sees them.
  default_transaction_isolation: "read committed"
}

/** `statementMs`: the server's time limit for a statement. */
const clientOf = (statementMs: number) => {
  const settings = {
    ...relied,
    statement_timeout: String(statementMs),
    // A transaction whose connection was lost keeps its locks until this time.
    idle_in_transaction_session_timeout: String(statementMs)
  }
  const prepare = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)

  return class BoundedClient extends Client {
    #running = 0
    #doubtful = false

    /** Whether another caller may use the connection. */
    get isUsable(): boolean {
      return this.#running === 0 && !this.#doubtful
    }

    /** Called once, before anything else. */
    async prepare(): Promise<void> {
      // With this number, the library would cancel an interrupted statement over another connection, and wait for that.
      Object.assign(this, { processID: undefined })
      await this.query(`SELECT ${prepare.join(", ")}`)
    }

    // oxlint-disable-next-line typescript/no-explicit-any -- the overloads of the library
    override query(...given: Array<any>): any {
      // A new query while a statement runs is the end of an interrupted transaction: its caller has given that
      // statement up.
      if (this.#running > 0) this.#cut(new Error("the statement before was given up"))
      this.#running++
      const longest = statementMs + CLIENT_LATER_MS
      const timer = setTimeout(() => this.#cut(new Error(`no answer within ${longest / 1000} s`)), longest)
      const ended = (error: unknown) => {
        clearTimeout(timer)
        this.#running--
        if (consequenceOf(codeOf(error)) === "reconnect") this.#doubtful = true
      }
      const send = super.query as (this: Client, ...all: Array<unknown>) => unknown
      const callback: unknown = given.at(-1)
      if (typeof callback === "function") {
        const answered = (...answer: ReadonlyArray<unknown>) => {
          ended(answer[0])
          callback(...answer)
        }
        return send.call(this, ...given.slice(0, -1), answered)
      }
      const answer = send.call(this, ...given) as Promise<unknown>
      answer.then(() => ended(undefined), ended)
      return answer
    }

    /** Cuts the connection, and so fails the statements that wait for it. */
    #cut(reason: Error): void {
      this.#doubtful = true
      const { connection } = this as unknown as { readonly connection: { readonly stream: Socket } }
      connection.stream.destroy(reason)
    }
  }
}

type BoundedClient = InstanceType<ReturnType<typeof clientOf>>

/** `statement`: how long a statement may take. */
export const openPool = (url: string, statement: Duration.Duration): Pool => {
  const pool = new Pool({
    connectionString: url,
    Client: clientOf(Duration.toMillis(statement)),
    application_name: "telemetry-session-service",
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    onConnect: (client) => (client as BoundedClient).prepare()
  })
  // The pool keeps no connection that has been asked to end.
  pool.on("release", (_, client) => {
    if (!(client as unknown as BoundedClient).isUsable) void client.end()
  })
  // A connection that breaks while nobody uses it is replaced; an error without a listener would end the process.
  pool.on("error", () => undefined)
  return pool
}
