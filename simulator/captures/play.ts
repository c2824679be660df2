/** Plays a capture in time. */
import type { Socket } from "node:dgram"
import { basename } from "node:path"
import { Clock, Deferred, Effect, Exit, Stream } from "effect"
import type { NotARecording } from "../feed/replayFeed.ts"
import { type Captured, capturedIn } from "./Captured.ts"

export interface CaptureOptions {
  readonly file: string
  readonly host: string
  /** Undefined: the game's own port. */
  readonly port: number | undefined
  /** A factor of real time. */
  readonly speed: number
  readonly driver: string
}

/** Done once a client has received the whole capture. */
export type Over = Deferred.Deferred<void, NotARecording>

/** After a longer hold-up of the machine, the player does not catch up, ms. */
const MAX_BEHIND_MS = 1000
/** A running game that sends on request is never silent for longer, s. */
const CLOSED_AFTER_S = 3

export const nameOf = (file: string) => basename(file).replace(/\.ndjson(\.gz)?$/, "")

/**
 * Sends each datagram at its time, from now on. `closed` replaces a silence of so many ms in which an asked game was closed.
 */
export const play = (
  { file, speed }: Pick<CaptureOptions, "file" | "speed">,
  send: (captured: Captured) => void,
  closed?: (ms: number) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    let begin = yield* Clock.currentTimeMillis
    let before = Infinity
    const atItsTime = (captured: Captured) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const wait = begin + (captured.time * 1000) / speed - now
        if (wait < -MAX_BEHIND_MS) begin -= wait
        const sent = Effect.sync(() => send(captured))
        return wait >= 1 ? Effect.delay(sent, wait) : sent
      })
    const played = capturedIn(file).pipe(Stream.filter(({ answers }) => answers === undefined))
    yield* Stream.runForEach(played, (captured) => {
      const silence = captured.time - before
      before = captured.time
      if (closed === undefined || silence <= CLOSED_AFTER_S) return atItsTime(captured)
      return closed((silence * 1000) / speed).pipe(
        Effect.zipRight(Clock.currentTimeMillis),
        Effect.flatMap((now) => {
          begin = now - (captured.time * 1000) / speed
          return atItsTime(captured)
        })
      )
    })
    yield* Effect.logInfo(`All of ${nameOf(file)} was played`)
  })

/** An error while playing ends the capture, and is reported. */
export const endingWith =
  (over: Over) =>
  <R>(playing: Effect.Effect<unknown, NotARecording, R>) =>
    playing.pipe(
      Effect.tapErrorCause((cause) => Effect.logWarning("The capture cannot be played any further", cause)),
      Effect.exit,
      Effect.flatMap((exit) => Deferred.done(over, Exit.asVoid(exit)))
    )

/**
 * Waits until received datagrams were handled: after a hold-up timers fire before them, so an expired time alone does not mean that
 * there was no answer.
 */
export const answered = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Waits until the system has taken all datagrams, because a closed socket would drop them. */
export const handedOver = (socket: Socket) =>
  Effect.repeat(
    Effect.map(answered, () => socket.getSendQueueCount()),
    { until: (waiting) => waiting === 0 }
  )
