/**
 * Plays a capture as its game would: on request, once for each address and from its start; or unasked, as soon as a program listens.
 * If the capture of a game that sends on request has a long silence, the game was closed meanwhile: it ignores requests, and goes on
 * at a request after that. At the end it is silent, like a game that was left.
 */
import { createSocket, type Socket } from "node:dgram"
import { isIPv6 } from "node:net"
import { Data, Deferred, Effect, FiberMap } from "effect"
import { CannotListen } from "../feed/FeedServer.ts"
import type { NotARecording } from "../feed/replayFeed.ts"
import { bound, freePort, resolve, through } from "../emulators/udp.ts"
import { type Captured, firstCaptured } from "./Captured.ts"
import { answeringInSim } from "./inSim.ts"
import { isLiveForSpeed, kindOf } from "./kinds.ts"
import { answered, type CaptureOptions, endingWith, handedOver, nameOf, type Over, play } from "./play.ts"
import type { Heard } from "./replies.ts"

/** The first datagram is of no known game, and no port was given. */
export class NoPort extends Data.TaggedError("NoPort")<{ readonly file: string }> {}

/** How often to check whether a program listens, ms. */
const TRY_EVERY_MS = 250
/** The state of the game for one address. */
interface Visit {
  /** A client may repeat its request from another port. */
  port: number
  encoded: (captured: Buffer) => Uint8Array
  /** The game is closed, or was left at the end. */
  isDeaf: boolean
  /** The game was started again: it goes on when a request completes this. */
  asked: Deferred.Deferred<void> | undefined
}

/** Closes the game for this time, then starts it again. */
const closing = (visit: Visit) => (ms: number) =>
  Effect.gen(function* () {
    visit.isDeaf = true
    yield* Effect.sleep(ms)
    visit.asked = yield* Deferred.make<void>()
    visit.isDeaf = false
    yield* Deferred.await(visit.asked)
    visit.asked = undefined
  })

const answering = Effect.fn("simulate.answeringCapture")(function* (
  heard: Heard,
  first: Captured,
  options: CaptureOptions,
  port: number,
  over: Over
) {
  const { driver, file, host } = options
  const socket = yield* bound(yield* resolve(host, port), port)
  const run = yield* FiberMap.runtime(yield* FiberMap.make<string>())<never>()
  const visits = new Map<string, Visit>()

  const whole = (address: string, visit: Visit) =>
    play(
      options,
      ({ bytes }) => through(socket, visit.encoded(bytes), visit.port, address),
      closing(visit)
    ).pipe(
      Effect.tap(() => {
        visit.isDeaf = true
      }),
      Effect.zipLeft(handedOver(socket)),
      endingWith(over)
    )

  socket.on("message", (request, { address, port: from }) => {
    const visit = visits.get(address)
    if (visit?.isDeaf === true) return
    const { play: encoded, reply, second } = heard(request, nameOf(file), driver, first.bytes)
    for (const bytes of [reply, second]) if (bytes !== undefined) through(socket, bytes, from, address)
    if (encoded === undefined) return
    if (encoded === "stop") {
      // A game that was started again ignores a dismissal.
      if (visit?.asked !== undefined) return
      visits.delete(address)
      run(address, Effect.void)
    } else if (visit === undefined) {
      const begun: Visit = { port: from, encoded, isDeaf: false, asked: undefined }
      visits.set(address, begun)
      run(address, whole(address, begun))
    } else {
      visit.port = from
      visit.encoded = encoded
      if (visit.asked !== undefined) Deferred.unsafeDone(visit.asked, Effect.void)
    }
  })
  return socket.address().port
})

/** A socket to one address. An error means that no program listens there. */
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
  options: CaptureOptions,
  port: number,
  over: Over
) {
  const { host } = options
  const to = port === 0 ? yield* freePort(yield* resolve(host, port)) : port
  let isRefused = false
  const socket = yield* connected(host, to, () => {
    isRefused = true
  })
  const send = ({ bytes }: Captured) => socket.send(bytes)
  // Without a listener the other side answers with an error; with one it answers nothing.
  const tried = Effect.sync(() => {
    isRefused = false
    send(first)
  }).pipe(
    Effect.zipRight(Effect.sleep(TRY_EVERY_MS)),
    Effect.zipRight(answered),
    Effect.repeat({ while: () => isRefused })
  )
  yield* Effect.forkScoped(
    tried.pipe(Effect.zipRight(play(options, send)), Effect.zipLeft(handedOver(socket)), endingWith(over))
  )
  return to
})

/** Runs until the scope ends; gives its address, and an effect that waits until the whole capture was played. */
export const serveCapture = Effect.fn("simulate.serveCapture")(function* (options: CaptureOptions) {
  const { driver, file, host } = options
  const first = yield* firstCaptured(file)
  const kind = kindOf(first)
  const wanted = options.port ?? kind?.port
  if (wanted === undefined) return yield* new NoPort({ file })
  const over: Over = yield* Deferred.make<void, NotARecording>()
  const isStream = isLiveForSpeed(first)
  const port = yield* isStream
    ? answeringInSim(options, wanted, over)
    : kind?.heard === undefined
      ? pushing(first, options, wanted, over)
      : answering(kind.heard, first, options, wanted, over)
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
  const address = `${isStream ? "tcp" : "udp"}://${isIPv6(host) ? `[${host}]` : host}:${port}`
  return { address, over: Deferred.await(over) }
})
