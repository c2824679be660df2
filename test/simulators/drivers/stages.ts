/** Shared by the tests of games with stages: the recorded laps, and links that fall silent or end. */
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { Interpreter } from "../../../src/simulators/udp/Protocol.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { recorded, type RecordedSession } from "./suite/events.ts"

/** The laps that have a time: number, time and whether they count. */
export const timedLaps = ({ laps }: RecordedSession) =>
  laps.flatMap(({ lapNumber, lapTime, valid }) => (lapTime === null ? [] : [[lapNumber, lapTime, valid]]))

/** Packets that arrive, seconds of silence, or the end of the link. */
export type Part = ReadonlyArray<Buffer> | number | "end"

/** The events of a link on which these parts follow each other; `every`: between two packets, s. */
export const eventsAfter = (
  interpreter: Interpreter,
  parts: ReadonlyArray<Part>,
  every = 1 / 60
): ReadonlyArray<SimulatorEvent> => {
  const buffer = new EventBuffer()
  const events: Array<SimulatorEvent> = []
  let arrival = 1000
  for (const part of parts) {
    if (part === "end") interpreter.end?.(buffer)
    else if (typeof part === "number")
      for (let second = 1; second <= part; second++, arrival++) interpreter.silence?.(second, buffer)
    else
      for (const bytes of part) {
        interpreter.datagram(bytes, arrival, buffer)
        arrival += every
      }
    events.push(...buffer.take())
  }
  return events
}

/** Those laps by session, and the number of laps by session, with those that have no time. */
export const lapsIn = (events: ReadonlyArray<SimulatorEvent>) => recorded(events).map(timedLaps)
export const countsIn = (events: ReadonlyArray<SimulatorEvent>) =>
  recorded(events).map(({ laps }) => laps.length)
