/**
 * A feed that plays a recording, to each client from its start.
 *
 * At a finite speed a message is sent when the first of its points is due; at `max` as fast as the client
 * reads. It ends with session_end, the recording's own or one added, and then waits with the connection open.
 */
import { Clock, Data, Effect, Stream } from "effect"
import { FeedBroken, type Feed, type FeedClient } from "./Feed.ts"
import { recordingLines } from "./recordingFile.ts"
import { readLine, ReplayMessages, type Outgoing } from "./ReplayMessages.ts"

/** The file cannot be played at all. */
export class NotARecording extends Data.TaggedError("NotARecording")<{
  readonly file: string
  readonly reason: string
}> {}

export interface ReplayOptions {
  readonly file: string
  /** A factor of real time; Infinity: as fast as the client reads. */
  readonly speed: number
  readonly packed: boolean
  /** No client gets the recording's groups, even if it reads them. */
  readonly pointsOnly: boolean
}

const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Checks that the file opens and begins with a session. */
const probe = Effect.fn("simulate.probeRecording")(function* (file: string) {
  const lines = yield* Stream.fromAsyncIterable(
    recordingLines(file),
    (cause) => new NotARecording({ file, reason: sentence(cause) })
  ).pipe(Stream.runHead)
  const first = lines._tag === "Some" ? lines.value[0] : undefined
  const message = first === undefined ? "it is empty" : readLine(first)
  const problem =
    typeof message === "string"
      ? message
      : message["type"] === "session"
        ? undefined
        : "it is another message"
  if (problem !== undefined) {
    return yield* new NotARecording({ file, reason: `line 1 must be a session message: ${problem}` })
  }
})

const play = Effect.fn("simulate.play")(function* (client: FeedClient, options: ReplayOptions) {
  const { file, packed, pointsOnly, speed } = options
  const messages = new ReplayMessages({ packed, groups: client.groups && !pointsOnly })
  const paced = Number.isFinite(speed)
  const begin = yield* Clock.currentTimeMillis
  let zero: number | undefined
  let line = 0

  const send = Effect.fnUntraced(function* (outgoing: ReadonlyArray<Outgoing>) {
    for (const { due, message } of outgoing) {
      if (paced && due !== undefined) {
        zero ??= due
        const wait = begin + ((due - zero) / speed) * 1000 - (yield* Clock.currentTimeMillis)
        if (wait > 0) yield* Effect.sleep(Math.ceil(wait))
      }
      if (!client.offer(message)) yield* client.drained
    }
  })

  yield* Stream.fromAsyncIterable(
    recordingLines(file),
    (cause) => new FeedBroken({ reason: `${file} broke off after line ${line}: ${sentence(cause)}` })
  ).pipe(
    Stream.runForEach(
      Effect.fnUntraced(function* (lines) {
        for (const text of lines) {
          line++
          const outgoing = messages.push(text)
          if (typeof outgoing === "string") {
            return yield* new FeedBroken({ reason: `${file} is broken at line ${line}: ${outgoing}` })
          }
          yield* send(outgoing)
        }
      })
    )
  )
  yield* send(messages.end())
  return yield* Effect.never
})

export const replayFeed = Effect.fn("simulate.replayFeed")(function* (options: ReplayOptions) {
  yield* probe(options.file)
  return { serve: (client) => play(client, options) } satisfies Feed
})
