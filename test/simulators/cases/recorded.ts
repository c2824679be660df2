/** The outcome of a recorder over a real catalog and points in memory, on a clock that follows the events' times. */
import { Effect, Layer, Logger, LogLevel } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import type { Session } from "../../../src/domain/Session.ts"
import * as Recorder from "../../../src/recording/feed/Recorder.ts"
import { coalesce } from "../../../src/simulators/connection/coalesce.ts"
import { Laps } from "../../../src/store/Laps.ts"
import { Sessions } from "../../../src/store/Sessions.ts"
import { catalogLayer } from "../../../src/store/sqlite/SqliteStore.ts"
import { MemoryStore } from "../../recording/memoryStore.ts"
import { withWriter } from "../../recording/rig.ts"
import { inTemporaryFolder } from "../../store/sqlite/folder.ts"
import type { Handed } from "./handed.ts"
import { CaseClock } from "./CaseClock.ts"

/** Epoch seconds of the service's zero. */
export const EPOCH_S = 1_700_000_000

export interface RecordedSession {
  readonly session: Session
  readonly laps: ReadonlyArray<RecordedLap>
  /** The times of the points, epoch seconds. */
  readonly times: ReadonlyArray<number>
  /** All values of a channel of the samples. */
  readonly valuesOf: (channel: string) => ReadonlyArray<number>
}

const valuesIn = (store: MemoryStore, id: number, channel: string) =>
  store.rows
    .groups(id)
    .map((group) => ({ sessionId: id, group }))
    .filter((of) => of.group !== POINTS && store.rows.columns(of).includes(channel))
    .flatMap((of) => [...store.rows.of(of).column(channel)])
    .filter((value) => !Number.isNaN(value))

export const recordedOf = (
  names: Recorder.RecorderOptions["names"],
  reliable: boolean,
  handed: Iterable<Handed>
) =>
  Effect.suspend(() => {
    const clock = new CaseClock(EPOCH_S * 1000)
    const store = new MemoryStore()
    const catalog = Layer.orDie(inTemporaryFolder(catalogLayer))
    const layer = Layer.mergeAll(catalog, store.rowStore, store.live)
    return Effect.gen(function* () {
      const recorder = yield* Recorder.make({ sessionId: undefined, names, reliable })
      for (const { at, what } of handed) {
        yield* clock.goTo((EPOCH_S + at) * 1000)
        if (what === "lost") yield* recorder.linkLost
        else if (!recorder.offer(coalesce(what))) yield* recorder.ready
      }
      yield* recorder.close
      const { laps } = yield* Laps
      const { session, sessionIds } = yield* Sessions
      const ids = yield* sessionIds
      return yield* Effect.forEach(ids, (id) =>
        Effect.map(Effect.all([session(id), laps(id)]), ([session, laps]): RecordedSession => ({
          session,
          laps,
          times: store.timesOf(id),
          valuesOf: (channel) => valuesIn(store, id, channel)
        }))
      )
    }).pipe(
      Effect.scoped,
      Effect.provide(withWriter({ layer })),
      Logger.withMinimumLogLevel(LogLevel.None),
      Effect.withClock(clock)
    )
  })
