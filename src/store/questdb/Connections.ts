/**
 * PGWire connections to QuestDB. Each of our processes has a pool, and it is small, because QuestDB accepts 64 connections in
 * all.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { Pool, type PoolClient, type QueryConfig } from "pg"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { QuestdbAddress } from "../../platform/addresses/questdb.ts"
import { type Bulk, BulkSocket } from "./BulkSocket.ts"
import { unavailable, whileAlive } from "./hanging.ts"

const MAX_CONNECTIONS = 4
const CONNECT_TIMEOUT_MS = 5000
/** How long the client waits for the server to close a connection. */
const END_WITHIN_MS = 1000
/** A healthy server answers every page and every summary of a session sooner. A server that hangs is detected earlier. */
const QUERY_TIMEOUT = Duration.seconds(30)

export type Row = Readonly<Record<string, unknown>>

export class Connections extends Context.Tag("store/questdb/Connections")<
  Connections,
  {
    /** For answers of a few rows. LONG and count() come as strings, and timestamps are never asked for (notes). */
    readonly rows: (
      text: string,
      values?: ReadonlyArray<unknown>
    ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
    /** For answers of `columns` doubles per row, `capacity` rows at most. */
    readonly bulk: (
      text: string,
      size: { readonly columns: number; readonly capacity: number }
    ) => Effect.Effect<Bulk, StoreUnavailable>
  }
>() {
  static readonly #layers = new WeakMap<QuestdbAddress, Layer.Layer<Connections>>()

  /**
   * Returns the same layer for the same address. It is built once: all parts of a process share the connections to a
   * server.
   */
  static readonly layer = (address: QuestdbAddress): Layer.Layer<Connections> => {
    const known = this.#layers.get(address) ?? this.ownLayer(address)
    this.#layers.set(address, known)
    return known
  }

  /** `queryTimeout`: how long a query may take. */
  static readonly ownLayer = (
    address: QuestdbAddress,
    queryTimeout: Duration.DurationInput = QUERY_TIMEOUT
  ) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const sockets = new Set<BulkSocket>()
        const pool = yield* Effect.acquireRelease(
          Effect.sync(() => open(address, sockets)),
          (pool) => Effect.promise(() => end(pool, sockets))
        )
        const patiently = whileAlive(address, queryTimeout)

        /**
         * Runs one query on a connection of its own. If the caller or the time-out gives the query up, the connection is cut.
         * The server's circuit breaker notices that and stops the query; `pg`'s own time-out would leave it running.
         */
        const use = <A>(query: (client: PoolClient, socket: BulkSocket) => Promise<A>) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(connected(pool, restore), (client) =>
              restore(
                Effect.tryPromise({ try: () => query(client, socketOf(client)), catch: unavailable })
              ).pipe(
                Effect.onExit((exit) =>
                  Effect.sync(() => {
                    const failed = exit._tag === "Failure"
                    if (failed) socketOf(client).destroy()
                    client.release(failed)
                  })
                )
              )
            )
          ).pipe(patiently)

        return {
          rows: (text, values = []) =>
            use(async (client) => (await client.query(text, [...values])).rows as ReadonlyArray<Row>),
          bulk: (text, { capacity, columns }) =>
            use(async (client, socket) => {
              const bulk = socket.begin(columns, capacity)
              try {
                // A query without parameters makes `pg` use the simple protocol, which has no binary format.
                const query = { text, binary: true, queryMode: "extended" }
                await client.query(query satisfies QueryConfig & { binary: boolean; queryMode: string })
                if (bulk.inputError !== undefined)
                  throw new Error(`the column ${bulk.inputError} of its answer is no DOUBLE`)
              } finally {
                socket.finish()
              }
              return bulk
            })
        }
      })
    )
}

/**
 * A connection of the pool. An interrupted fiber does not wait for a server that hangs: a connection that is made later goes
 * back to the pool.
 */
const connected = (pool: Pool, restore: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  let connecting: Promise<PoolClient> | undefined
  const client = Effect.tryPromise({ try: () => (connecting = pool.connect()), catch: unavailable })
  const giveBack = () => {
    connecting?.then(
      (late) => late.release(),
      () => undefined
    )
  }
  return Effect.onInterrupt(restore(client), () => Effect.sync(giveBack))
}

/** Ends the pool, and cuts its sockets after a time, because a server that hangs never answers the end. */
const end = async (pool: Pool, sockets: ReadonlySet<BulkSocket>): Promise<void> => {
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, END_WITHIN_MS)
  await pool.end()
  clearTimeout(timer)
}

const open = ({ host, password, pgPort, user }: QuestdbAddress, sockets: Set<BulkSocket>): Pool => {
  const pool = new Pool({
    host,
    port: pgPort,
    user,
    password,
    database: "qdb",
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    stream: () => {
      const socket = new BulkSocket()
      sockets.add(socket)
      return socket.once("close", () => sockets.delete(socket))
    }
  })
  // A connection that breaks fails its query, if any, and the pool replaces it. But the pool listens for errors of idle
  // connections only, and an error without a listener would end the process.
  pool.on("error", () => undefined)
  pool.on("connect", (client) => client.on("error", () => undefined))
  return pool
}

const socketOf = (client: PoolClient): BulkSocket =>
  (client as unknown as { readonly connection: { readonly stream: BulkSocket } }).connection.stream
