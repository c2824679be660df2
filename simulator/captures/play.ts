/** A capture as time goes by. */
import type { Socket } from "node:dgram"
import { basename } from "node:path"
import { Clock, Deferred, Effect, Exit, Stream } from "effect"
import type { NotARecording } from "../feed/replayFeed.ts"
import { type Captured, capturedIn } from "./Captured.ts"

export interface CaptureOptions {
  readonly file: string
  readonly host: string
  /** Left out, the game's own. */
  readonly port: number | undefined
  /** Times real time. */
  readonly speed: number
  readonly driver: string
}

/** Done once all of it was played to somebody. */
export type Over = Deferred.Deferred<void, NotARecording>

/** A machine that was held up by more does not make up for it, ms. */
const MAX_BEHIND_MS = 1000
/** No game that is asked, and runs, sends nothing for longer, s. */
const CLOSED_AFTER_S = 3

export const nameOf = (file: string) => basename(file).replace(/\.ndjson(\.gz)?$/, "")

/**
 * Each datagram at its time, from now on. `closed`: takes the place of a silence in which an asked game was closed, of so many ms.
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

/** What goes wrong while it is played ends that, and is reported. */
export const endingWith =
  (over: Over) =>
  <R>(playing: Effect.Effect<unknown, NotARecording, R>) =>
    playing.pipe(
      Effect.tapErrorCause((cause) => Effect.logWarning("The capture cannot be played any further", cause)),
      Effect.exit,
      Effect.flatMap((exit) => Deferred.done(over, Exit.asVoid(exit)))
    )

/**
 * Until what has arrived meanwhile is reported: after a hold-up timers come before it, so that a time that is over does not mean
 * that there was no answer.
 */
export const answered = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Until the system has all datagrams, which a socket that is closed would drop. */
export const handedOver = (socket: Socket) =>
  Effect.repeat(
    Effect.map(answered, () => socket.getSendQueueCount()),
    { until: (waiting) => waiting === 0 }
  )
