/** The start lines of imported sessions, by which files without laps find theirs (tables/KnownLines.ts). */
import { Chunk, Effect, Schema, Stream } from "effect"
import { type Gate, gateAcross } from "../domain/Gate.ts"
import { RowBatch } from "../domain/RowBatch.ts"
import { Dictionaries } from "../store/Dictionaries.ts"
import { FileImports } from "../store/FileImports.ts"
import { Laps } from "../store/Laps.ts"
import { RowStore } from "../store/RowStore.ts"
import { START_LINE } from "./tables/KnownLines.ts"
import { isFix } from "./tables/place.ts"

const Ends = Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.Number)

/** Those of all sessions, the newest first. */
export const knownStartLines = Effect.gen(function* () {
  const { factsNamed } = yield* FileImports
  return (yield* factsNamed(START_LINE))
    .filter(Schema.is(Ends))
    .map(([latitude, longitude, otherLatitude, otherLongitude]): Gate => ({
      latitudes: [latitude, otherLatitude],
      longitudes: [longitude, otherLongitude]
    }))
})

/** The fixes of a receiver beside the line are not farther from it, s. */
const MAX_APART_S = 1

/** The line square to the way between the fixes before and after `time`. A receiver may repeat its last one. */
const lineAt = (rows: RowBatch<"timestamp" | "latitude" | "longitude">, time: number): Gate | undefined => {
  if (rows.length === 0) return undefined
  const [times, latitudes, longitudes] = [rows.timestamps, rows.column("latitude"), rows.column("longitude")]
  let before: number | undefined
  for (let i = 0; i < rows.length; i++) {
    if (!isFix(latitudes[i]!, longitudes[i]!)) continue
    const isNew =
      before === undefined || latitudes[i] !== latitudes[before] || longitudes[i] !== longitudes[before]
    if (!isNew) continue
    if (times[i]! >= time && before !== undefined) {
      return gateAcross(
        { latitudes: [latitudes[before]!, latitudes[i]!], longitudes: [longitudes[before]!, longitudes[i]!] },
        (time - times[before]!) / (times[i]! - times[before]!)
      )
    }
    before = i
  }
  return undefined
}

/** The line square to the car's way at the begin of the session's first timed lap; undefined without one, or without coordinates. */
export const startLineOf = Effect.fn("imports.startLineOf")(function* (sessionId: number) {
  const { dictionary } = yield* Dictionaries
  const found = (yield* dictionary(sessionId))?.channel("latitude")
  const lap = (yield* (yield* Laps).laps(sessionId)).find(({ lapTime }) => lapTime !== null)
  if (found === undefined || lap === undefined) return undefined
  const { read } = yield* RowStore
  const at = lap.startTime
  const range = { sessionId, group: found.group.name, from: at - MAX_APART_S, until: at + MAX_APART_S }
  const batches = yield* Stream.runCollect(read(range, ["timestamp", "latitude", "longitude"]))
  return lineAt(RowBatch.concat(Chunk.toReadonlyArray(batches)), at)
})
