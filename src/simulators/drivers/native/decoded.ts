/** The result of reading a message, for the code that counts and that limits the work. */
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import type { Unreadable } from "./messageText.ts"

export const refused = (reason: string, points = 0) => SimulatorEvent.Refused({ reason, points })
export const refusedSamples = (reason: string, samples: number) =>
  SimulatorEvent.Refused({ reason, points: 0, samples })

export const unreadable = ({ points, reason, samples }: Unreadable) =>
  samples > 0 ? refusedSamples(reason, samples) : refused(reason, points)

/**
 * The number of laps, declarations and ends of sessions that are decoded in one call. After the start of a session the
 * next messages wait as well: a start costs commits of the catalog, and a feed that starts too many sessions waits
 * between two deliveries.
 */
export const MAX_RARE_EVENTS = 64

/** The cost of the events, in units of `MAX_RARE_EVENTS`. */
export const rarityOf = ({ _tag }: SimulatorEvent): number => {
  switch (_tag) {
    case "SessionStarted":
      return MAX_RARE_EVENTS
    case "SessionEnded":
    case "LapCompleted":
    case "ChannelsDeclared":
      return 1
    default:
      return 0
  }
}

/** Whether no event of a message is recorded. */
export const isUseless = (events: ReadonlyArray<SimulatorEvent>) =>
  events.every(({ _tag }) => _tag === "Refused")
