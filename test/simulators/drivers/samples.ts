/** The samples in a driver's events. */
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { eventsOf } from "./suite/events.ts"

/** The newest value of each channel. */
export const lastSamples = (events: ReadonlyArray<SimulatorEvent>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    eventsOf(events, "Samples").flatMap(({ batch }) =>
      batch.channels
        .filter((name) => name !== "timestamp")
        .map((name) => [name, batch.column(name)[batch.length - 1]!])
    )
  )

/** All rows of a group. */
export const samplesOf = (events: ReadonlyArray<SimulatorEvent>, group: string): RowBatch =>
  RowBatch.concat(
    eventsOf(events, "Samples")
      .filter((samples) => samples.group === group)
      .map(({ batch }) => batch)
  )
