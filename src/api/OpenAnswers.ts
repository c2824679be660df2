/**
 * Limits the memory of answers whose clients do not read them.
 *
 * Guarantees. A streamed answer holds some 2 MiB: at most MAX_WRITE_BYTES in its socket, a piece on the way to the
 * socket, and the memory from which its rows are read. At most MAX_OPEN large answers are open; others wait, WAIT_S at
 * most, and are then refused. A socket that takes nothing for STALLED_MS is closed, and its memory is freed.
 *
 * Small answers are complete when they are sent, and the system usually takes them immediately: they cost a comparison.
 */
import type { ServerResponse } from "node:http"
import type * as HttpBody from "@effect/platform/HttpBody"
import { Chunk, Context, Effect, Option, type Scope, Stream } from "effect"
import { TooManyAnswers } from "../domain/errors.ts"
import type { Middleware } from "./App.ts"
import { systemTiming, type TimingService } from "../platform/Timing.ts"
import { breathe } from "../platform/threads/breathe.ts"
import { Turns } from "../platform/Turns.ts"

/** The maximum number of large answers that are open at a time: 128 MiB, if no client reads. */
export const MAX_OPEN = 64
/** The maximum number of answers that wait. Each costs a connection and a fiber. */
export const MAX_WAITING = 1024
/** A client that would have to wait longer gives up or tries again. */
const WAIT_S = 5
/** A client that reads at all takes something within seconds, also over a network that loses packets. */
export const STALLED_MS = 30_000

/** A larger answer counts as large, and goes out in pieces of this size. Below 4 KB/s a socket counts as taking nothing. */
export const MAX_WRITE_BYTES = 128 * 1024

export interface OpenAnswersOptions {
  readonly most: number
  readonly timing: TimingService
}

const slices = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  bytes.length <= MAX_WRITE_BYTES
    ? [bytes]
    : Array.from({ length: Math.ceil(bytes.length / MAX_WRITE_BYTES) }, (_, n) =>
        bytes.subarray(n * MAX_WRITE_BYTES, (n + 1) * MAX_WRITE_BYTES)
      )

export class OpenAnswers {
  readonly #turns: Turns
  readonly #timing: TimingService
  readonly #most: number

  constructor({ most, timing }: OpenAnswersOptions) {
    this.#most = most
    this.#timing = timing
    this.#turns = new Turns(most)
  }

  /** Waits until one more large answer may be open, as long as the scope. */
  readonly room: Effect.Effect<void, TooManyAnswers, Scope.Scope> = Effect.suspend(() => {
    const refused = () => new TooManyAnswers({ limit: this.#most })
    return this.#turns.waiting >= MAX_WAITING
      ? refused()
      : // The platform runs middleware uninterruptibly.
        Effect.interruptible(
          Effect.timeoutFail(this.#turns.enter, { duration: `${WAIT_S} seconds`, onTimeout: refused })
        )
  })

  /**
   * Closes the connection of an answer after STALLED_MS, unless the returned function is called before: it ends the
   * watch.
   */
  #watch(response: ServerResponse): () => void {
    return this.#timing.after(STALLED_MS, () => response.destroy())
  }

  /** Watches an answer that has been sent as a whole, unless the system has already taken all of it. */
  sent(response: ServerResponse): void {
    if ((response.socket?.writableLength ?? 0) === 0) return
    response.once("close", this.#watch(response))
  }

  /**
   * Watches an answer that the platform writes. The watch begins again each time the system has taken all written
   * bytes.
   */
  piped(response: ServerResponse): void {
    let stop = this.#watch(response)
    response.on("drain", () => {
      stop()
      stop = this.#watch(response)
    })
    response.once("close", () => stop())
  }

  /** The stream of a body that is sent piece by piece; undefined for a body that is sent as a whole. */
  streamOf(body: HttpBody.HttpBody): Stream.Stream<Uint8Array, unknown> | undefined {
    if (body._tag === "Stream") return body.stream
    return body._tag === "Uint8Array" && body.body.length > MAX_WRITE_BYTES
      ? Stream.make(body.body)
      : undefined
  }

  /** The same stream, but each piece is requested only when the socket has taken the one before. */
  paced<E>(stream: Stream.Stream<Uint8Array, E>, response: ServerResponse): Stream.Stream<Uint8Array, E> {
    return Stream.unwrapScoped(
      Effect.gen(this, function* () {
        const pull = yield* Stream.toPull(stream)
        let stop: (() => void) | undefined
        const given = Effect.sync(() => (stop = this.#watch(response)))
        response.once("close", () => stop?.())
        let waiting: Array<Uint8Array> = []
        const piece = () => Chunk.of(waiting.shift()!)
        const next: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<E>> = Effect.suspend(() => {
          stop?.()
          if (waiting.length > 0) return Effect.sync(piece)
          // The system takes megabytes in one go. Without a turn, the pieces of many answers would be made in one turn.
          return Effect.flatMap(Effect.zipRight(breathe, pull), (pieces) => {
            waiting = Chunk.toReadonlyArray(pieces).flatMap(slices)
            return waiting.length > 0 ? Effect.sync(piece) : next
          })
        })
        return Stream.repeatEffectChunkOption(
          Effect.zipLeft(
            Effect.tapError(next, () => given),
            given
          )
        )
      })
    )
  }
}

export class OpenAnswersHere extends Context.Reference<OpenAnswersHere>()("http/OpenAnswers", {
  defaultValue: () => new OpenAnswers({ most: MAX_OPEN, timing: systemTiming })
}) {}

/** Waits until one more large answer may be open. */
export const room = Effect.flatMap(OpenAnswersHere, (answers) => answers.room)

/** Makes large answers that are complete wait for room. */
export const holdLarge: Middleware = (app) =>
  Effect.flatMap(app, (response) => {
    const { body } = response
    const isLarge = body._tag === "Uint8Array" && body.body.length > MAX_WRITE_BYTES
    return isLarge ? Effect.as(room, response) : Effect.succeed(response)
  })
