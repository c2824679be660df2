/**
 * Cuts the laps of an imported MoTeC log anew, by the beacons of an `.ldx` file that came later (formats.md, section 5). The log's
 * own file is gone by then, so its stored points go once more through what cuts laps. A lap's time is that between its beacons:
 * the log's channel of lap times is not looked at.
 */
import { Effect, Option, Stream, Struct } from "effect"
import { allChannels } from "../domain/ChannelSet.ts"
import { POINTS } from "../domain/Dictionary.ts"
import { LapsNotCut, StoreUnavailable } from "../domain/errors.ts"
import { ImportReport } from "../domain/FileImport.ts"
import { channels } from "../domain/pointChannels.ts"
import type { Session } from "../domain/Session.ts"
import { breathe } from "../platform/threads/breathe.ts"
import { SessionEndings } from "../recording/intake/SessionEndings.ts"
import type { LapCut } from "../recording/laps/laps.ts"
import { LapTracker } from "../recording/laps/LapTracker.ts"
import { Circuits } from "../store/Circuits.ts"
import { FileImports } from "../store/FileImports.ts"
import { Laps } from "../store/Laps.ts"
import { RowStore } from "../store/RowStore.ts"
import { Sessions } from "../store/Sessions.ts"
import { LDX } from "./companions.ts"
import { fileStarted } from "./fileStarted.ts"
import { beaconsOfLdx, OF_LDX } from "./readers/motec/ldLaps.ts"
import { textOf } from "./sourceFile.ts"
import { startLineOf } from "./startLines.ts"
import { Crossings } from "./tables/Crossings.ts"
import { factOf } from "./tables/KnownLines.ts"
import type { Lap } from "./tables/RowLaps.ts"

/** The time of the session's last row in any group, epoch seconds. */
const lastOf = Effect.fnUntraced(function* (sessionId: number) {
  const { bounds, groups } = yield* RowStore
  const all = yield* Effect.forEach(yield* groups(sessionId), (group) => bounds({ sessionId, group }))
  return Math.max(...all.flatMap(Option.toArray).map(({ last }) => last))
})

/** The laps between the beacons, s since the log's first sample. */
const lapsBetween = Effect.fnUntraced(function* (session: Session, beacons: ReadonlyArray<number>) {
  const { circuit, datetime: start, id: sessionId } = session
  const layouts = yield* (yield* Circuits).sectorLines(circuit)
  const laps = new Crossings(
    beacons.map((time) => ({ time: start + time })),
    start
  )
  const tracker = new LapTracker(fileStarted(session, start, true), undefined, layouts)
  const cuts: Array<LapCut> = []
  const add = (reported: ReadonlyArray<Lap>) => {
    for (const lap of reported) cuts.push(...tracker.message(lap))
  }
  const points = (yield* RowStore).read(
    { sessionId, group: POINTS, from: -Infinity, until: Infinity },
    channels
  )
  yield* Stream.runForEach(points, (batch) =>
    Effect.map(breathe, () => {
      cuts.push(...tracker.points({ batch, declared: allChannels, lap: undefined }))
      add(laps.until(batch.timestamps.at(-1)!))
    })
  )
  add(laps.finish(yield* lastOf(sessionId)))
  return [...cuts, ...tracker.finish()].map((cut) => ({ sessionId, ...cut }))
})

/** Succeeds with the import. `path`: of the `.ldx` file. */
export const cutAnew = Effect.fn("imports.cutAnew")(
  function* (importId: number, path: string) {
    const { changeImport, fileImport, keepFacts } = yield* FileImports
    const refused = (because: LapsNotCut["because"]) => new LapsNotCut({ importId, because })
    const found = yield* fileImport(importId)
    if (found.format !== LDX.of) return yield* refused("no log")
    if (found.finished === null) return yield* refused("not finished")
    const beacons = beaconsOfLdx(textOf(path) ?? "") ?? []
    if (beacons.length === 0) return yield* refused("no beacons")
    // A log is one session.
    const [sessionId] = found.sessions
    if (sessionId === undefined) return yield* refused("no session")
    const cut = Effect.gen(function* () {
      const session = yield* (yield* Sessions).session(sessionId)
      const laps = yield* lapsBetween(session, beacons)
      return yield* (yield* Laps).replaceLaps(sessionId, laps)
    })
    const { length } = yield* Effect.catchTag(cut, "SessionNotFound", () => refused("no session"))
    const line = yield* Effect.catchTag(startLineOf(sessionId), "SessionNotFound", () =>
      refused("no session")
    )
    yield* keepFacts(sessionId, { laps_from: OF_LDX, ...(line === undefined ? {} : factOf(line)) })
    yield* (yield* SessionEndings).ended(sessionId)
    const report = Struct.pick(found, ...(Object.keys(ImportReport.fields) as Array<keyof ImportReport>))
    return yield* changeImport(importId, { report: { ...report, laps: length } })
  },
  Effect.catchTags({
    PointsDamaged: (cause) => new StoreUnavailable({ store: cause.store, cause, reason: cause.reason }),
    ChannelsDamaged: (cause) =>
      new StoreUnavailable({ store: "catalog", cause, reason: "the session's channels are damaged" })
  })
)
