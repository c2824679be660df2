/**
 * A capture played as its game would: to who asks, once to each address and from its start, or unasked, from when somebody
 * listens. Then it is silent, as a game that was left.
 */
import { createSocket, type Socket } from "node:dgram"
import { basename } from "node:path"
import { isIPv6 } from "node:net"
import { Clock, Data, Effect, FiberMap, Stream } from "effect"
import { CannotListen } from "../feed/FeedServer.ts"
import { bound, freePort, resolve, through } from "../emulators/udp.ts"
import { type Captured, capturedIn, firstCaptured } from "./Captured.ts"
import { type CaptureKind, captureKinds } from "./kinds.ts"

/** No kind of ours begins so, and nobody said where to send it. */
export class NoPort extends Data.TaggedError("NoPort")<{ readonly file: string }> {}

export interface CaptureOptions {
  readonly file: string
  readonly host: string
  /** Left out, the game's own. */
  readonly port: number | undefined
  /** Times real time. */
  readonly speed: number
  readonly driver: string
}

/** How often it is tried whether somebody listens, ms. */
const TRY_EVERY_MS = 250
/** A machine that was held up by more does not make up for it, ms. */
const MAX_BEHIND_MS = 1000

const nameOf = (file: string) => basename(file).replace(/\.ndjson(\.gz)?$/, "")

/**
 * Until what has arrived meanwhile is told: after a hold-up timers come before it, so that a time that is over does not mean
 * that there was no answer.
 */
const answered = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Each datagram at its time, from now on. */
const play = (file: string, speed: number, send: (captured: Captured) => void) =>
  Effect.gen(function* () {
    let begin = yield* Clock.currentTimeMillis
    yield* Stream.runForEach(capturedIn(file), (captured) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const wait = begin + (captured.time * 1000) / speed - now
        if (wait < -MAX_BEHIND_MS) begin -= wait
        const sent = Effect.sync(() => send(captured))
        return wait >= 1 ? Effect.delay(sent, wait) : sent
      })
    )
    yield* Effect.logInfo(`All of ${nameOf(file)} was played`)
  })

/** What goes wrong while it is played ends that, and is told. */
const logged = Effect.catchAllCause((cause) =>
  Effect.logWarning("The capture cannot be played any further", cause)
)

const answering = Effect.fn("simulate.answeringCapture")(function* (
  heard: NonNullable<CaptureKind["heard"]>,
  { driver, file, host, speed }: CaptureOptions,
  port: number
) {
  const address = yield* resolve(host, port)
  const socket = yield* bound(address, port)
  const playing = yield* FiberMap.make<string>()
  const run = yield* FiberMap.runtime(playing)<never>()
  const played = new Set<string>()
  socket.on("message", (bytes, client) => {
    const { play: encoded, reply } = heard(bytes, nameOf(file), driver)
    const isOver = played.has(client.address)
    if (encoded === "stop") run(client.address, Effect.void)
    if (isOver) return
    if (reply !== undefined) through(socket, reply, client.port, client.address)
    if (encoded === undefined || encoded === "stop") return
    const send = ({ bytes: captured }: Captured) =>
      through(socket, encoded(captured), client.port, client.address)
    const whole = play(file, speed, send).pipe(
      Effect.tap(() => Effect.sync(() => played.add(client.address)))
    )
    run(client.address, logged(whole), { onlyIfMissing: true })
  })
  return socket.address().port
})

/** A socket to one address, whose errors say that nobody listens there. */
const connected = (host: string, port: number, onError: () => void) =>
  Effect.gen(function* () {
    const address = yield* resolve(host, port)
    return yield* Effect.acquireRelease(
      Effect.async<Socket, CannotListen>((resume) => {
        const socket = createSocket(isIPv6(address) ? "udp6" : "udp4")
        socket.once("error", (cause) => resume(new CannotListen({ host, port, cause })))
        socket.connect(port, address, () => {
          socket.removeAllListeners("error")
          socket.on("error", onError)
          resume(Effect.succeed(socket))
        })
      }),
      (socket) =>
        Effect.async<void>((resume) => {
          socket.close(() => resume(Effect.void))
        })
    )
  })

const pushing = Effect.fn("simulate.pushingCapture")(function* (
  first: Captured,
  { file, host, speed }: CaptureOptions,
  port: number
) {
  const to = port === 0 ? yield* freePort(yield* resolve(host, port)) : port
  let isRefused = false
  const socket = yield* connected(host, to, () => {
    isRefused = true
  })
  const send = ({ bytes }: Captured) => socket.send(bytes)
  // A datagram that nobody hears is answered so by the other side; one that somebody hears, by nothing.
  const tried = Effect.sync(() => {
    isRefused = false
    send(first)
  }).pipe(
    Effect.zipRight(Effect.sleep(TRY_EVERY_MS)),
    Effect.zipRight(answered),
    Effect.repeat({ while: () => isRefused })
  )
  yield* Effect.forkScoped(logged(Effect.zipRight(tried, play(file, speed, send))))
  return to
})

/** Runs until the scope ends; gives its address. */
export const serveCapture = Effect.fn("simulate.serveCapture")(function* (options: CaptureOptions) {
  const { driver, file, host } = options
  const first = yield* firstCaptured(file)
  const kind = captureKinds.find((one) => one.recognises(first.bytes))
  const wanted = options.port ?? kind?.port
  if (wanted === undefined) return yield* new NoPort({ file })
  const port = yield* kind?.heard === undefined
    ? pushing(first, options, wanted)
    : answering(kind.heard, options, wanted)
  const name = nameOf(file)
  const body = {
    host,
    port,
    app_name: "telemetry",
    ...(kind === undefined ? {} : { simulator: kind.simulator }),
    circuit: name,
    vehicle: name,
    driver,
    ...kind?.extras
  }
  yield* Effect.logInfo(`Connect with ${JSON.stringify(body)}`)
  return `udp://${isIPv6(host) ? `[${host}]` : host}:${port}`
})
