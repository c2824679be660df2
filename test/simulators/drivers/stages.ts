/** Shared by the tests of games with stages: the recorded laps, and a link whose silences a test decides. */
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { Interpreter } from "../../../src/simulators/udp/Protocol.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { recorded, type RecordedSession } from "./recorded.ts"

/** The laps that have a time: number, time and whether they count. */
export const timedLaps = ({ laps }: RecordedSession) =>
  laps.flatMap(({ lapNumber, lapTime, valid }) => (lapTime === null ? [] : [[lapNumber, lapTime, valid]]))

/** A link that gets packets, or silence; `interval`: between two packets, s. */
export const stageLink = (interpreter: Interpreter, interval = 1 / 60) => {
  const buffer = new EventBuffer()
  const events: Array<SimulatorEvent> = []
  let arrival = 1000
  const self = {
    events,
    receives: (...datagrams: ReadonlyArray<Buffer>) => {
      for (const bytes of datagrams) {
        interpreter.datagram(bytes, arrival, buffer)
        events.push(...buffer.take())
        arrival += interval
      }
      return self
    },
    waits: (seconds: number) => {
      for (let second = 1; second <= seconds; second++) {
        interpreter.silence?.(second, buffer)
        events.push(...buffer.take())
        arrival++
      }
      return self
    },
    ends: () => {
      interpreter.end?.(buffer)
      events.push(...buffer.take())
      return self
    },
    /** By session; those without a time are left out. */
    get laps() {
      return recorded(events).map(timedLaps)
    },
    /** By session, with those that have no time. */
    get counts() {
      return recorded(events).map(({ laps }) => laps.length)
    }
  }
  return self
}
