/** A recorder over a store in memory. */
import { it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import type { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import type { Intake } from "../../src/recording/intake/Intake.ts"
import * as Recorder from "../../src/recording/feed/Recorder.ts"
import type { Circuits } from "../../src/store/Circuits.ts"
import type { Dictionaries } from "../../src/store/Dictionaries.ts"
import type { Laps } from "../../src/store/Laps.ts"
import type { RowStore } from "../../src/store/RowStore.ts"
import type { Sessions } from "../../src/store/Sessions.ts"
import type { LivePublisher } from "../../src/live/hub/LivePublisher.ts"
import { MemoryStore } from "./memoryStore.ts"
import { withWriter } from "./rig.ts"

type Needs = Circuits | Dictionaries | Laps | RowStore | Sessions | Intake | LivePublisher | Scope.Scope

export const defaults: Recorder.RecorderOptions = { sessionId: undefined, names: {}, reliable: true }

/** A recorder, and a function that hands events to it as a driver does. */
export interface TestedRecorder extends Recorder.Recorder {
  /** Succeeds when the events are recorded, and more may be offered. */
  readonly record: (events: ReadonlyArray<SimulatorEvent>) => Effect.Effect<void>
}

export const recorderOf = (options: Partial<Recorder.RecorderOptions> = {}) =>
  Effect.map(Recorder.make({ ...defaults, ...options }), (recorder): TestedRecorder => ({
    ...recorder,
    record: (events) => Effect.suspend(() => (recorder.offer(events) ? Effect.void : recorder.ready))
  }))

/** A test of a recorder with its writer at work. */
export const recording = (
  title: string,
  body: (recorder: TestedRecorder, store: MemoryStore) => Effect.Effect<unknown, unknown, Needs>,
  options: Partial<Recorder.RecorderOptions> = {},
  prepare: (store: MemoryStore) => void = () => undefined,
  capacity?: number
) =>
  it.scoped(title, () =>
    Effect.suspend(() => {
      const store = new MemoryStore()
      prepare(store)
      return Effect.flatMap(recorderOf(options), (recorder) => body(recorder, store)).pipe(
        Effect.provide(withWriter(store, capacity))
      )
    })
  )

/** Whether every point of it is accounted for. */
export const accounted = ({ counters: { points } }: Recorder.Recorder) =>
  points.received === points.stored + points.dropped + points.rejectedTotal
