/**
 * Bounds what answers hold that their clients do not take.
 *
 * Guarantees. An answer that is streamed has at most MAX_WRITE_BYTES with its socket, a piece on the way to it, and what its
 * rows are read from: some 2 MiB. At most MAX_OPEN large answers are open; more wait, WAIT_S at most, and are then refused. A
 * socket that takes nothing for STALLED_MS is closed, and what it held is free.
 *
 * Small answers are complete when they are sent, and the system usually takes them at once: they cost a comparison.
 */
import type { ServerResponse } from "node:http"
import type * as HttpBody from "@effect/platform/HttpBody"
import { Chunk, Context, Effect, Option, type Scope, Stream } from "effect"
import { TooManyAnswers } from "../domain/errors.ts"
import type { Middleware } from "./App.ts"
import { systemTiming, type TimingService } from "../platform/Timing.ts"
import { breathe } from "../platform/threads/breathe.ts"
import { Turns } from "../platform/Turns.ts"

/** Large answers that are open at a time: 128 MiB, if all their clients take nothing. */
export const MAX_OPEN = 64
/** Answers that wait cost a connection and a fiber each. */
export const MAX_WAITING = 1024
/** A client that waits longer gives up, or asks again. */
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

  /** Closes the connection of an answer, unless it takes what it was given before STALLED_MS. Returns what ends the watch. */
  #watch(response: ServerResponse): () => void {
    return this.#timing.after(STALLED_MS, () => response.destroy())
  }

  /** Watches an answer that has been sent as a whole, if the system has not taken all of it at once. */
  sent(response: ServerResponse): void {
    if ((response.socket?.writableLength ?? 0) === 0) return
    response.once("close", this.#watch(response))
  }

  /** Watches an answer that the platform writes: from one time that the system has taken what it was given to the next. */
  piped(response: ServerResponse): void {
    let stop = this.#watch(response)
    response.on("drain", () => {
      stop()
      stop = this.#watch(response)
    })
    response.once("close", () => stop())
  }

  /** What goes out of a body piece by piece; undefined of one that goes out at once. */
  streamOf(body: HttpBody.HttpBody): Stream.Stream<Uint8Array, unknown> | undefined {
    if (body._tag === "Stream") return body.stream
    return body._tag === "Uint8Array" && body.body.length > MAX_WRITE_BYTES
      ? Stream.make(body.body)
      : undefined
  }

  /** The same stream, of which a piece is asked for when the socket has taken the one before. */
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
          // The system takes megabytes at once: the pieces of many answers would be made in one turn of the event loop.
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
