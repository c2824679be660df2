/** What a message became, as those see it who count and who share out the work. */
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"

export const refused = (reason: string, points = 0) => SimulatorEvent.Refused({ reason, points })
export const refusedSamples = (reason: string, samples: number) =>
  SimulatorEvent.Refused({ reason, points: 0, samples })

/** Each is a transaction of the catalog. */
const rareTags: ReadonlySet<SimulatorEvent["_tag"]> = new Set([
  "SessionStarted",
  "SessionEnded",
  "LapCompleted",
  "ChannelsDeclared"
] as const)

export const isRare = ({ _tag }: SimulatorEvent) => rareTags.has(_tag)

/** Whether nothing of a message's events is recorded. */
export const isUseless = (events: ReadonlyArray<SimulatorEvent>) =>
  events.every(({ _tag }) => _tag === "Refused")
