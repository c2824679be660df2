/** What a message became, as those see it who count and who share out the work. */
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"

export const refused = (reason: string, points = 0) => SimulatorEvent.Refused({ reason, points })
export const refusedSamples = (reason: string, samples: number) =>
  SimulatorEvent.Refused({ reason, points: 0, samples })

/**
 * Laps, declarations and ends of sessions that are decoded in one go. After the beginning of a session the next messages wait as
 * well: it costs commits of the catalog, and a feed that begins too many is made to wait between two deliveries.
 */
export const MAX_RARE_EVENTS = 64

/** Of `MAX_RARE_EVENTS`. */
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

/** Whether nothing of a message's events is recorded. */
export const isUseless = (events: ReadonlyArray<SimulatorEvent>) =>
  events.every(({ _tag }) => _tag === "Refused")
