/**
 * Captured datagrams of a game, as a file of lines: `{"t": seconds since the first, "hex": "the datagram's bytes"}`, gzipped or
 * not. Lines of Live for Speed also have the direction, `"via": "tcp"` or `"udp"`, and in place of a time the request that they
 * answer: `"answers": "ISI"`, or the SubT of a TINY packet. Read lazily: memory does not grow with the file.
 */
import { Effect, Either, Stream } from "effect"
import { NotARecording } from "../feed/replayFeed.ts"
import { recordingLines } from "../feed/recordingFile.ts"

export interface Captured {
  /** s since the first. */
  readonly time: number
  readonly bytes: Buffer
  readonly via?: "tcp" | "udp"
  readonly answers?: number | "ISI"
}

const HEX = /^(?:[0-9a-f]{2})+$/i

/** A line's datagram, or the error in the line. */
export const readCaptured = (line: string): Either.Either<Captured, string> => {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return Either.left("it is not JSON")
  }
  const { answers, hex, t, via } = (typeof read === "object" && read !== null ? read : {}) as Record<
    string,
    unknown
  >
  if (typeof t !== "number" || !(t >= 0)) return Either.left("t is not a time in seconds")
  if (typeof hex !== "string" || !HEX.test(hex)) return Either.left("hex is not the bytes of a datagram")
  if (via !== undefined && via !== "tcp" && via !== "udp") return Either.left("via is neither tcp nor udp")
  if (answers !== undefined && answers !== "ISI" && typeof answers !== "number") {
    return Either.left("answers is neither ISI nor the number of a request")
  }
  return Either.right({
    time: t,
    bytes: Buffer.from(hex, "hex"),
    ...(via === undefined ? {} : { via }),
    ...(answers === undefined ? {} : { answers })
  })
}

/** All of them, in order. */
export const capturedIn = (file: string): Stream.Stream<Captured, NotARecording> =>
  Stream.fromAsyncIterable(
    recordingLines(file),
    (cause) => new NotARecording({ file, reason: cause instanceof Error ? cause.message : String(cause) })
  ).pipe(
    Stream.mapConcat((lines) => lines),
    Stream.zipWithIndex,
    Stream.mapEffect(([line, index]) =>
      Either.mapLeft(
        readCaptured(line),
        (reason) => new NotARecording({ file, reason: `line ${index + 1}: ${reason}` })
      )
    )
  )

export const firstCaptured = (file: string): Effect.Effect<Captured, NotARecording> =>
  Stream.runHead(capturedIn(file)).pipe(
    Effect.flatten,
    Effect.catchTag("NoSuchElementException", () => new NotARecording({ file, reason: "it is empty" }))
  )
