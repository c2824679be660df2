/** The native feed's transport: a WebSocket client. */
import type { LookupAddress } from "node:dns"
import { Duration, Effect, type Scope } from "effect"
import { WebSocket } from "ws"
import { NotASimulator, SimulatorRefused } from "../../../domain/errors.ts"
import { Timing, type TimingService } from "../../../platform/Timing.ts"
import { type Driver, type Link, type LinkOptions, type OpenFailure, registered } from "../../Driver.ts"
import { connectTo, targetsOf } from "../../targets.ts"
import { record } from "./envelopes.ts"
import { Inbox } from "./Inbox.ts"
import { DEFAULT_PORT, MAX_MESSAGE_BYTES, SUBPROTOCOL } from "./protocol.ts"

/**
 * A machine that is switched off, or whose network is restarted, sends no close. A link that is silent and answers no ping in two of
 * these is gone, and is opened again; TCP itself would repeat what it sent only after a pause as long as the outage was.
 */
const PING_EVERY = Duration.seconds(2.5)
/** RFC 6455, 7.4.1: normal closure. */
const CLOSE_NORMAL = 1000
/** How long the simulator may take to close the link. */
const CLOSE_WITHIN_MS = 1000

/** The errors of `ws` that have the status of a web server's answer. */
const UNEXPECTED_STATUS = /^Unexpected server response: (\d{3})$/
const NO_SUBPROTOCOL = "Server sent no subprotocol"
const OTHER_SUBPROTOCOL = "Server sent an invalid subprotocol"

/** The reason that a web server's status gives for opening no feed. */
const meaningOf = (status: number): string => {
  if (status < 300) return "it is a web server that opens no WebSocket"
  if (status < 400) return "it redirects, and the service follows no redirects"
  if (status === 401 || status === 403) return "it requires a login, and the service has none"
  return status === 404 ? "it has nothing at the path /, where a feed should be" : "it opens no WebSocket"
}

/**
 * Why a server opens no feed. Of its answer the sentence has only the status: a user must not be able to read the
 * answers of other services by connecting to them.
 */
const noFeed = ({ message }: Error): string => {
  if (message === OTHER_SUBPROTOCOL) return `it selects a subprotocol other than ${SUBPROTOCOL}`
  const [, status] = UNEXPECTED_STATUS.exec(message) ?? []
  return status === undefined
    ? "it does not open a feed"
    : `it answers with status ${status}: ${meaningOf(Number(status))}`
}

/** The failure of a socket that never opened. */
const openFailure = ({ host, port }: LinkOptions, error: NodeJS.ErrnoException) =>
  error.code !== undefined && /^E[A-Z]/.test(error.code) && !error.code.startsWith("ERR_")
    ? new SimulatorRefused({ address: { host, port }, reason: error.code })
    : new NotASimulator({ address: { host, port }, simulator: "native", reason: noFeed(error) })

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

/** A socket with its listeners. They are added immediately, since an error without a listener ends the process. */
const dial = (
  options: LinkOptions,
  targets: ReadonlyArray<LookupAddress>,
  timing: TimingService,
  subprotocols: ReadonlyArray<string>
) => {
  const socket = new WebSocket(url(options), [...subprotocols], {
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
const openSocket = Effect.fn("NativeDriver.openSocket")(function* (
  options: LinkOptions,
  subprotocols: ReadonlyArray<string>
) {
  const { host, port } = options
  const targets = yield* targetsOf(options)
  const timing = yield* Timing
  const { socket, inbox, opened } = yield* Effect.acquireRelease(
    Effect.try({
      try: () => dial(options, targets, timing, subprotocols),
      catch: () => new SimulatorRefused({ address: { host, port }, reason: "not an address" })
    }),
    ({ socket }) => Effect.sync(() => closePolitely(socket))
  )
  const failure = yield* Effect.promise(() =>
    opened.then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error
    )
  )
  if (failure === undefined) return { socket, inbox }
  return yield* failure.message === NO_SUBPROTOCOL ? Effect.succeed(undefined) : openFailure(options, failure)
})

/** Simple servers select no subprotocol; they are asked again without one, as WebSocket requires. */
const openAny = (options: LinkOptions) =>
  Effect.flatMap(openSocket(options, [SUBPROTOCOL]), (opened) =>
    opened === undefined ? openSocket(options, []) : Effect.succeed(opened)
  ).pipe(
    Effect.flatMap((opened) =>
      opened === undefined ? Effect.dieMessage("no subprotocol was asked for") : Effect.succeed(opened)
    )
  )

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

const watch = (socket: WebSocket, inbox: Inbox) => {
  let isSilent = false
  return Effect.sync(() => {
    const wasSilent = isSilent
    isSilent = !inbox.heard
    // After a stall of this process one look finds nothing, because what arrived meanwhile is read after it.
    if (!isSilent || !wasSilent) return socket.ping()
    inbox.lose("the simulator went silent")
    socket.terminate()
  }).pipe(Effect.delay(PING_EVERY), Effect.forever, Effect.forkScoped)
}

const open = Effect.fn("NativeDriver.open")(function* (
  options: LinkOptions
): Effect.fn.Return<Link, OpenFailure, Scope.Scope> {
  const { socket, inbox } = yield* openAny(options)
  socket.send(JSON.stringify({ type: "hello", app_name: options.appName, rate: options.rate, groups: true }))
  const simulator = yield* welcome(inbox, options)
  yield* watch(socket, inbox)
  return { simulator, deliverTo: inbox.deliverTo }
})

export const driver: Driver = {
  name: "native",
  ports: [DEFAULT_PORT],
  reliable: true,
  reaches: true,
  forwards: false,
  open
}

export const layer = registered(driver)
