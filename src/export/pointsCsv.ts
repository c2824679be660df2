/** Points as CSV (RFC 4180): a header row with the channels' names, numbers as the shortest decimals, CRLF. */
import { Stream } from "effect"
import type { RecordedLap } from "../domain/Lap.ts"
import { channels, type PointBatch } from "../domain/PointBatch.ts"
import { decimal } from "./numbers.ts"
import { inPieces } from "./pieces.ts"

const EOL = "\r\n"

const rows = ({ length, data }: PointBatch, prefix: (index: number) => string): string => {
  let out = ""
  for (let i = 0; i < length; i++) {
    out += prefix(i) + decimal(data[i]!)
    for (let c = 1; c < channels.length; c++) out += `,${decimal(data[c * length + i]!)}`
    out += EOL
  }
  return out
}

const noPrefix = () => ""

export const table = <E, R>(batches: Stream.Stream<PointBatch, E, R>): Stream.Stream<string, E, R> =>
  Stream.concat(
    Stream.make(channels.join(",") + EOL),
    Stream.map(inPieces(batches), (piece) => rows(piece, noPrefix))
  )

/** The same with each point's lap number in front, empty for a point outside any lap. */
export const tableWithLaps = <E, R>(
  laps: ReadonlyArray<RecordedLap>,
  batches: Stream.Stream<PointBatch, E, R>
): Stream.Stream<string, E, R> =>
  Stream.suspend(() => {
    const byTime = [...laps].sort((a, b) => a.start_time - b.start_time)
    let at = 0
    const lapNumberAt = (time: number): string => {
      while (at < byTime.length && byTime[at]!.end_time <= time) at++
      const lap = byTime[at]
      return lap !== undefined && lap.start_time <= time ? `${lap.lap_number},` : ","
    }
    return Stream.concat(
      Stream.make(`lap_number,${channels.join(",")}${EOL}`),
      Stream.map(inPieces(batches), (piece) => {
        const times = piece.timestamps
        return rows(piece, (index) => lapNumberAt(times[index]!))
      })
    )
  })
