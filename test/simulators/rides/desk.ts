/** Records the laps of a driver's events, and nothing else, on a clock that the ride sets. */
import { Clock, Deferred, Effect, Layer, Logger, LogLevel, Option } from "effect"
import type { NewLap } from "../../../src/domain/Lap.ts"
import type { NewSession } from "../../../src/domain/Session.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { LivePublisher } from "../../../src/live/hub/LivePublisher.ts"
import { Intake } from "../../../src/recording/intake/Intake.ts"
import * as Recorder from "../../../src/recording/feed/Recorder.ts"
import { coalesce } from "../../../src/simulators/connection/coalesce.ts"
import { Circuits } from "../../../src/store/Circuits.ts"
import { Dictionaries } from "../../../src/store/Dictionaries.ts"
import { Laps } from "../../../src/store/Laps.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { Sessions } from "../../../src/store/Sessions.ts"

/** Events that the recorder gets together at a moment, s, or the loss of the link. */
export interface Handed {
  readonly at: number
  readonly what: ReadonlyArray<SimulatorEvent> | "lost"
}

/** Epoch seconds of a ride's zero. */
const EPOCH_S = 1_700_000_000

/** Records all of it; returns the laps, in order, and the number of sessions. */
export const recordAll = (names: Recorder.RecorderOptions["names"], handed: ReadonlyArray<Handed>) =>
  Effect.suspend(() => {
    const laps: Array<NewLap> = []
    let sessions = 0
    let millis = 0
    const clock: Clock.Clock = {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: () => millis,
      unsafeCurrentTimeNanos: () => BigInt(Math.round(millis * 1e6)),
      currentTimeMillis: Effect.sync(() => millis),
      currentTimeNanos: Effect.sync(() => BigInt(Math.round(millis * 1e6))),
      sleep: () => Effect.never
    }
    const created: Pick<typeof Sessions.Service, "createSession"> = {
      createSession: (created: NewSession) =>
        Effect.sync(() => ({
          ...created,
          id: ++sessions,
          duration: 0,
          totalLaps: 0,
          bestLapTime: null,
          source: "live" as const,
          pinned: false
        }))
    }
    const bounds: Pick<typeof RowStore.Service, "bounds"> = { bounds: () => Effect.succeed(Option.none()) }
    const intake: typeof Intake.Service = {
      offer: () => Effect.void,
      isOpenTo: () => true,
      tryOffer: (entry) => {
        if (entry._tag === "Lap") laps.push(entry.lap)
        if (entry._tag === "End") Deferred.unsafeDone(entry.done, Effect.void)
        return true
      },
      take: () => Effect.never,
      awaitFlush: Effect.never,
      awaitDue: Effect.never,
      fallBehind: () => undefined,
      giveUp: () => undefined,
      begin: () => undefined,
      isGone: () => false,
      isTakenOver: () => false,
      release: () => Effect.void
    }
    const around = Layer.mergeAll(
      Layer.mock(Sessions, created),
      Layer.mock(Circuits, { sectorLines: () => Effect.succeed([]) }),
      Layer.mock(Dictionaries, {}),
      Layer.mock(Laps, {}),
      Layer.succeed(RowStore, bounds as typeof RowStore.Service),
      Layer.succeed(LivePublisher, {
        publish: () => undefined,
        declare: () => undefined,
        announce: () => undefined
      }),
      Layer.succeed(Intake, intake)
    )
    return Effect.gen(function* () {
      const recorder = yield* Recorder.make({ sessionId: undefined, names, reliable: false })
      const record = (events: ReadonlyArray<SimulatorEvent>) =>
        recorder.offer(events) ? Effect.void : recorder.ready
      for (const { at, what } of handed) {
        millis = (EPOCH_S + at) * 1000
        yield* what === "lost" ? recorder.linkLost : record(coalesce(what))
      }
      yield* recorder.close
      return { laps, sessions }
    }).pipe(
      Effect.scoped,
      Effect.provide(around),
      Logger.withMinimumLogLevel(LogLevel.None),
      Effect.withClock(clock)
    )
  })
