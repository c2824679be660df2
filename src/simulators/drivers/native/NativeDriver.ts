/** The native feed's transport: a WebSocket client. */
import type { LookupAddress } from "node:dns"
import { Duration, Effect, type Scope } from "effect"
import { WebSocket } from "ws"
import { NotASimulator, SimulatorRefused } from "../../../domain/errors.ts"
import { Timing, type TimingService } from "../../../Timing.ts"
import { type Driver, type Link, type LinkOptions, type OpenFailure, registered } from "../../Driver.ts"
import { connectTo, targetsOf } from "../../targets.ts"
import { record } from "./envelopes.ts"
import { Inbox } from "./Inbox.ts"
import { DEFAULT_PORT, MAX_MESSAGE_BYTES, SUBPROTOCOL } from "./protocol.ts"

/** A link that is silent and answers no ping for two of these is gone: a machine that is switched off sends no close. */
const PING_EVERY = Duration.seconds(15)
/** RFC 6455, 7.4.1: normal closure. */
const CLOSE_NORMAL = 1000
/** How long the simulator may take to close the link. */
const CLOSE_WITHIN_MS = 1000

/**
 * The failure of a socket that never opened. It does not contain the other side's answer: a user must not be able to read
 * the answers of other services by connecting to them.
 */
const openFailure = ({ host, port }: LinkOptions, error: NodeJS.ErrnoException) =>
  error.code !== undefined && /^E[A-Z]/.test(error.code) && !error.code.startsWith("ERR_")
    ? new SimulatorRefused({ address: { host, port }, reason: error.code })
    : new NotASimulator({ address: { host, port }, simulator: "native", reason: "it does not open a feed" })

const url = ({ host, port }: LinkOptions) => `ws://${host.includes(":") ? `[${host}]` : host}:${port}/`

/** Resumes the socket, so that it receives the other side's answer to the close. */
const closePolitely = (socket: WebSocket) => {
  if (socket.readyState === WebSocket.CONNECTING) return socket.terminate()
  if (socket.readyState === WebSocket.CLOSED) return
  if (socket.isPaused) socket.resume()
  socket.close(CLOSE_NORMAL)
  const giveUp = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS)
  socket.once("close", () => clearTimeout(giveUp))
}

/** A socket with its listeners. They are added at once, since an error without a listener ends the process. */
const dial = (options: LinkOptions, targets: ReadonlyArray<LookupAddress>, timing: TimingService) => {
  const socket = new WebSocket(url(options), SUBPROTOCOL, {
    createConnection: () => connectTo(options, targets),
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES
  })
  const opened = new Promise<void>((resolve, reject) => {
    socket.once("open", resolve)
    socket.once("error", reject)
  })
  opened.catch(() => undefined)
  return { socket, inbox: new Inbox(socket, timing), opened }
}

/** Only the creation of the socket is uninterruptible: a handshake that hangs must not keep the caller from giving up. */
const openSocket = Effect.fn("NativeDriver.openSocket")(function* (options: LinkOptions) {
  const { host, port } = options
  const targets = yield* targetsOf(options)
  const timing = yield* Timing
  const { socket, inbox, opened } = yield* Effect.acquireRelease(
    Effect.try({
      try: () => dial(options, targets, timing),
      catch: () => new SimulatorRefused({ address: { host, port }, reason: "not an address" })
    }),
    ({ socket }) => Effect.sync(() => closePolitely(socket))
  )
  yield* Effect.tryPromise({
    try: () => opened,
    catch: (error) => openFailure(options, error as NodeJS.ErrnoException)
  })
  return { socket, inbox }
})

/** The first message must be a welcome; a peer that sends anything else is no simulator. */
const welcome = Effect.fn("NativeDriver.welcome")(function* (inbox: Inbox, options: LinkOptions) {
  const { host, port } = options
  const notASimulator = (reason: string) =>
    new NotASimulator({ address: { host, port }, simulator: "native", reason })
  const first = yield* Effect.mapError(inbox.first, () =>
    notASimulator("it closed the connection before its welcome")
  )
  const message = yield* Effect.try({
    try: () => (typeof first === "string" ? record(JSON.parse(first)) : undefined),
    catch: () => notASimulator("its first message is not JSON")
  })
  if (message?.["type"] !== "welcome" || typeof message["simulator"] !== "string") {
    return yield* notASimulator("its first message is not a welcome")
  }
  return message["simulator"]
})

const watch = (socket: WebSocket, inbox: Inbox) =>
  Effect.sync(() => {
    if (inbox.heard) return socket.ping()
    inbox.lose("the simulator went silent")
    socket.terminate()
  }).pipe(Effect.delay(PING_EVERY), Effect.forever, Effect.forkScoped)

const open = Effect.fn("NativeDriver.open")(function* (
  options: LinkOptions
): Effect.fn.Return<Link, OpenFailure, Scope.Scope> {
  const { socket, inbox } = yield* openSocket(options)
  socket.send(JSON.stringify({ type: "hello", app_name: options.appName, rate: options.rate, groups: true }))
  const simulator = yield* welcome(inbox, options)
  yield* watch(socket, inbox)
  return { simulator, deliverTo: inbox.deliverTo }
})

export const driver: Driver = {
  name: "native",
  ports: [DEFAULT_PORT],
  reliable: true,
  maxPauseMs: 30_000,
  reaches: true,
  forwards: false,
  open
}

export const layer = registered(driver)
