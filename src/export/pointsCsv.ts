/**
 * Rows as CSV (RFC 4180): a header row with the columns' names, numbers as the shortest decimals, an empty field where
 * a channel is absent, CRLF.
 */
import { Stream } from "effect"
import type { RecordedLap } from "../domain/Lap.ts"
import { channels, type SampleBatch } from "../domain/PointBatch.ts"
import { inPieces, utf8 } from "./pieces.ts"
import { RowWriter } from "./RowWriter.ts"
import { writersOf } from "./writers.ts"

const EOL = "\r\n"

/** Writers by number of columns. A writer's text is taken before another table uses it. */
const writers = writersOf(
  (columns) =>
    new RowWriter(
      columns.slice(1).map(() => ","),
      ""
    )
)

/** Points whose rows begin with the same text. */
interface Run {
  /** The text before the channels. */
  readonly prefix: string
  /** The index of the first point behind the run. */
  readonly end: number
}

/**
 * `prefixed`: the names of the columns before the channels. `runFrom`: the run that begins at `from` and ends at `to`
 * at the latest.
 */
const rows = <E, R>(
  prefixed: ReadonlyArray<string>,
  columns: ReadonlyArray<string>,
  batches: Stream.Stream<SampleBatch, E, R>,
  runFrom: (batch: SampleBatch, from: number, to: number) => Run
): Stream.Stream<Uint8Array, E, R> => {
  // Goes out before the first row, or alone.
  let header = [...prefixed, ...columns].join(",")
  const writer = writers(columns)
  const points = inPieces((batch, from, to) => {
    for (let start = from; start < to;) {
      const { end, prefix } = runFrom(batch, start, to)
      const begin = utf8(EOL + prefix)
      writer.write(batch, start, end, begin, header === "" ? begin : utf8(header + EOL + prefix))
      header = ""
      start = end
    }
    return writer.take()
  })
  const end = Stream.suspend(() => Stream.make(utf8(header + EOL)))
  return Stream.concat(points(batches), end)
}

/** The batches must have these columns. */
export const table = <E, R>(
  batches: Stream.Stream<SampleBatch, E, R>,
  columns: ReadonlyArray<string> = channels
): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => rows([], columns, batches, (_batch, _from, to) => ({ prefix: "", end: to })))

/** The same, with each row's lap number first; the number is empty for a point outside any lap. */
export const tableWithLaps = <E, R>(
  laps: ReadonlyArray<RecordedLap>,
  batches: Stream.Stream<SampleBatch, E, R>,
  columns: ReadonlyArray<string> = channels
): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const byTime = [...laps].sort((a, b) => a.startTime - b.startTime)
    let at = 0
    /** The lap that has a point, and the time at which another begins. Points must be asked about in rising order. */
    const lapAt = (time: number) => {
      while (at < byTime.length && byTime[at]!.endTime <= time) at++
      const lap = byTime[at]
      if (lap === undefined) return { prefix: ",", until: Infinity }
      if (time < lap.startTime) return { prefix: ",", until: lap.startTime }
      return { prefix: `${lap.lapNumber},`, until: lap.endTime }
    }
    return rows(["lap_number"], columns, batches, (batch, from, to) => {
      const times = batch.timestamps
      const { prefix, until } = lapAt(times[from]!)
      let end = from + 1
      while (end < to && times[end]! < until) end++
      return { prefix, end }
    })
  })
