/**
 * The bus over NATS core, without JetStream: best effort, because truth is in the stores.
 *
 * A bus that is away at the start or later is tried about four times a second for as long as the service runs. What is published
 * meanwhile is dropped; subscriptions last.
 */
import { Effect, Fiber, FiberSet, Option } from "effect"
import {
  connect,
  type ConnectionOptions,
  type NatsConnection,
  nkeyAuthenticator,
  type Subscription,
  tokenAuthenticator
} from "@nats-io/transport-node"
import { type Bus, BusRefused, type Heard, NotAnswered } from "./Bus.ts"

/** From this version on a server does not let one slow subscriber hold up all publishers (`no_fast_producer_stall`). */
const OLDEST = [2, 10, 26] as const
const RECONNECT_MS = 250
const JITTER_MS = 50
/** A connection that was cut without a reset is noticed after three of these. */
const PING_MS = 1000
/** How long a start waits for the bus, so that a server that cannot be used is named at once. */
const FIRST_WITHIN = "3 seconds"
const CLOSED_WITHIN = "1 second"

export interface NatsSettings {
  readonly servers: ReadonlyArray<string>
  /** An nkey seed, or a token; undefined if the server asks for none. */
  readonly credentials: string | undefined
  /** The nodes of a cluster share it. */
  readonly cluster: string
  /** How people find this node in the server's list of connections. */
  readonly name: string
}

const isOlder = (version: string): boolean => {
  const parts = version.split(/\D/).map(Number)
  for (const [i, least] of OLDEST.entries()) if ((parts[i] ?? 0) !== least) return (parts[i] ?? 0) < least
  return false
}

const authenticatorOf = (credentials: string | undefined): Pick<ConnectionOptions, "authenticator"> => {
  if (credentials === undefined) return {}
  return {
    authenticator: credentials.startsWith("SU")
      ? nkeyAuthenticator(new TextEncoder().encode(credentials))
      : tokenAuthenticator(credentials)
  }
}

interface Registered {
  readonly subject: string
  readonly heard: Heard
  subscription: Subscription | undefined
}

class NatsBus implements Bus {
  readonly #prefix: string
  readonly #registered = new Set<Registered>()
  readonly #watchers = new Set<(isUp: boolean) => void>()
  #connection: NatsConnection | undefined
  #isUp = false

  readonly #complain: (error: Error) => void

  constructor(cluster: string, complain: (error: Error) => void) {
    this.#prefix = `tss.${cluster}.`
    this.#complain = complain
  }

  readonly publish: Bus["publish"] = (subject, bytes) => {
    if (this.#isUp) this.#connection?.publish(this.#prefix + subject, bytes)
  }

  readonly subscribe: Bus["subscribe"] = (subject, heard) => {
    const one: Registered = { subject, heard, subscription: undefined }
    this.#registered.add(one)
    this.#begin(one)
    return () => {
      this.#registered.delete(one)
      one.subscription?.unsubscribe()
    }
  }

  readonly request: Bus["request"] = (subject, bytes, timeout) =>
    Effect.tryPromise({
      try: async () => {
        if (this.#connection === undefined || !this.#isUp) throw new Error("NATS cannot be reached")
        return (await this.#connection.request(this.#prefix + subject, bytes, { timeout })).data
      },
      catch: (cause) => new NotAnswered({ reason: cause instanceof Error ? cause.message : String(cause) })
    })

  readonly flush: Bus["flush"] = () => this.#connection?.flush() ?? Promise.resolve()

  readonly isUp = () => this.#isUp

  readonly onChange: Bus["onChange"] = (changed) => {
    this.#watchers.add(changed)
    return () => void this.#watchers.delete(changed)
  }

  /** Takes the connection, which lasts until it is closed: the client connects it again by itself. */
  readonly take = (connection: NatsConnection): void => {
    this.#connection = connection
    for (const one of this.#registered) this.#begin(one)
    this.#set(true)
    void this.#follow(connection)
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === "disconnect") this.#set(false)
      if (status.type === "reconnect") this.#set(true)
      if (status.type === "error") this.#complain(status.error)
    }
    this.#set(false)
  }

  #begin(one: Registered): void {
    one.subscription = this.#connection?.subscribe(this.#prefix + one.subject, {
      // An error, such as a subject that the server's permissions refuse, is in the connection's status, too.
      callback: (error, message) => {
        if (error === null) one.heard(message.data, (bytes) => void message.respond(bytes))
      }
    })
  }

  #set(isUp: boolean): void {
    if (this.#isUp === isUp) return
    this.#isUp = isUp
    for (const changed of this.#watchers) changed(isUp)
  }
}

const connected = ({ credentials, name, servers }: NatsSettings) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        connect({
          ...authenticatorOf(credentials),
          ...(servers.some((server) => server.startsWith("tls://")) ? { tls: {} } : {}),
          servers: [...servers],
          name,
          noEcho: true,
          pingInterval: PING_MS,
          maxPingOut: 2,
          maxReconnectAttempts: -1,
          reconnectTimeWait: RECONNECT_MS,
          reconnectJitter: JITTER_MS,
          waitOnFirstConnect: true
        }),
      catch: (cause) => new BusRefused({ reason: cause instanceof Error ? cause.message : String(cause) })
    }),
    // What was published is sent first, if there is a connection.
    (connection) =>
      Effect.tryPromise(() => connection.drain()).pipe(
        Effect.timeout(CLOSED_WITHIN),
        Effect.orElse(() => Effect.promise(() => connection.close())),
        Effect.ignore
      )
  )

/**
 * The bus, until the scope ends. Fails if the server answers in time and cannot be used. If it does not answer, the service starts
 * without it; if it turns out later that it cannot be used, that is logged.
 */
export const make = Effect.fn("NatsBus.make")(function* (settings: NatsSettings) {
  const fork = yield* FiberSet.makeRuntime<never>()
  const bus = new NatsBus(settings.cluster, (error) => {
    fork(Effect.logWarning(`NATS refuses something that this node asks for: ${error.message}`))
  })
  const begin = Effect.gen(function* () {
    const connection = yield* Effect.interruptible(connected(settings))
    const version = connection.info?.version ?? "0"
    if (isOlder(version)) {
      const reason = `it is nats-server ${version}, in which one slow node holds up all others: ${OLDEST.join(".")} or later is needed`
      return yield* new BusRefused({ reason })
    }
    bus.take(connection)
    // The client connects again by itself, but gives up a server that refuses its credentials twice.
    yield* Effect.forkScoped(
      Effect.flatMap(
        Effect.promise(() => connection.closed()),
        (error) =>
          error instanceof Error
            ? Effect.logError(`NATS is not used any more: ${error.message}`)
            : Effect.void
      )
    )
    yield* Effect.logInfo(`Other nodes are reached through NATS at ${connection.getServer()}`)
  })
  const beginning = yield* Effect.forkScoped(begin)
  const soon = yield* Effect.timeoutOption(Effect.exit(Fiber.join(beginning)), FIRST_WITHIN)
  if (Option.isSome(soon)) yield* soon.value
  else {
    yield* Effect.logWarning(
      "NATS cannot be reached; until it can, this node shares nothing live with others"
    )
    yield* Effect.forkScoped(
      Effect.catchAll(Fiber.join(beginning), ({ reason }) => Effect.logError(`NATS is not used: ${reason}`))
    )
  }
  return bus as Bus
})
