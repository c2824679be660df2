/** PGWire connections to QuestDB: few, because it takes 64 in all, and each of our processes has its own. */
import { Context, Duration, Effect, Layer } from "effect"
import { Pool, type PoolClient, type QueryConfig } from "pg"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { QuestdbAddress } from "../../addresses/questdb.ts"
import { type Bulk, BulkSocket } from "./BulkSocket.ts"
import { unavailable, whileAlive } from "./hanging.ts"

const MAX_CONNECTIONS = 4
const CONNECT_TIMEOUT_MS = 5000
/** How long the client waits for the server to close a connection. */
const END_WITHIN_MS = 1000
/** No page, and no summary of a session, takes as long on a server that is well. One that hangs is known before. */
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
    /** For answers of `columns` doubles a row, `capacity` rows at most. */
    readonly bulk: (
      text: string,
      size: { readonly columns: number; readonly capacity: number }
    ) => Effect.Effect<Bulk, StoreUnavailable>
  }
>() {
  static readonly #layers = new WeakMap<QuestdbAddress, Layer.Layer<Connections>>()

  /** Of one address always the same layer, which is built once: whatever a process asks of a server shares its connections. */
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
         * One query on a connection of its own. Where it is given up, by its caller or by the time-out, the connection is
         * cut, which is how the server learns of it and stops (its circuit breaker; `pg`'s own time-out leaves it running).
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
                // The simple protocol, which `pg` takes where a query has no parameters, has no binary format.
                const query = { text, binary: true, queryMode: "extended" }
                await client.query(query satisfies QueryConfig & { binary: boolean; queryMode: string })
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
 * A connection of the pool. An interrupted fiber does not wait for a server that hangs: the connection goes back to the pool
 * when it comes.
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

/** A server that hangs never answers that it has heard of the end. */
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
  // A connection that breaks is replaced, and fails the query that it is used for, if any; but without a listener its
  // error would end the process: the pool listens to idle ones only.
  pool.on("error", () => undefined)
  pool.on("connect", (client) => client.on("error", () => undefined))
  return pool
}

const socketOf = (client: PoolClient): BulkSocket =>
  (client as unknown as { readonly connection: { readonly stream: BulkSocket } }).connection.stream
