/** A reader's events after their way from its thread. */
import type { LapBatch } from "../domain/LapBatch.ts"
import { POINTS } from "../domain/Dictionary.ts"
import { channels as pointChannels } from "../domain/pointChannels.ts"
import { isDeclared } from "../domain/ChannelSet.ts"
import { type Rows, SimulatorEvent } from "../domain/SimulatorEvent.ts"
import { fromThread } from "../platform/threads/threadBatch.ts"
import type { ThreadEvent } from "./readerThread.ts"

export const eventOf = (event: ThreadEvent): SimulatorEvent => {
  if (event._tag !== "Rows") return event
  const { batch, lap, ...rows } = event
  return SimulatorEvent.Rows({
    ...rows,
    batch: fromThread(batch),
    ...(lap === undefined ? {} : { lap: fromThread(lap) as LapBatch })
  })
}

/** The memory of the rows of events, which the one who has the events may give away. */
export const memoryOf = (events: ReadonlyArray<SimulatorEvent | ThreadEvent>): ReadonlyArray<ArrayBuffer> =>
  events.flatMap((event) =>
    event._tag === "Rows"
      ? [event.batch, ...(event.lap === undefined ? [] : [event.lap])].map(
          ({ data }) => data.buffer as ArrayBuffer
        )
      : []
  )

/** The number of channels with values in rows, without the time. */
const channelsIn = ({ batch, declared, declaredBySome, group }: Rows): number => {
  if (group !== POINTS || declared === undefined) return batch.channels.length - 1
  const set = declaredBySome ?? declared
  return pointChannels.filter((name, c) => name !== "timestamp" && isDeclared(set, c)).length
}

/** The rows and values of events. */
export const countRows = (
  events: ReadonlyArray<SimulatorEvent>
): { readonly rows: number; readonly values: number } => {
  let rows = 0
  let values = 0
  for (const event of events) {
    if (event._tag !== "Rows") continue
    rows += event.batch.length
    values += event.batch.length * channelsIn(event)
  }
  return { rows, values }
}
