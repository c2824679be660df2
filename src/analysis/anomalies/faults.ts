/**
 * Reports the faults of the data that trust is based on, where no other rule has reported them: both use the same
 * faults.
 */
import type { Fault } from "../faults/fault.ts"
import { sourcesOf } from "../faults/pointFaults.ts"
import { believable } from "../place/believable.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"

const CHANNELS = {
  positions: "position",
  speed: "speed",
  points: "timestamp",
  slip: "speed",
  distance: "lap_distance"
} as const

/**
 * The faults within the lap; overlapping ones become one, the longest. A lap without places shows only what its points
 * show by themselves. A slide is the driver's, not a fault of the data.
 */
const faultsOf = ({ lap, onGrid, points }: LapEvidence): ReadonlyArray<Fault> => {
  const all = onGrid === undefined ? sourcesOf(believable(points)).faults : onGrid.faults
  const found: Array<Fault> = []
  for (const fault of [...all].sort((a, b) => a.from - b.from)) {
    if (fault.source === "slip" || fault.to <= lap.startTime || fault.from >= lap.endTime) continue
    const last = found.at(-1)
    if (last === undefined || fault.from > last.to) found.push(fault)
    else if (fault.to - fault.from > last.to - last.from) found[found.length - 1] = fault
  }
  return found
}

const tell = ({ distanceAt, lap }: LapEvidence, { from, source, to, what }: Fault): Finding => {
  const at = distanceAt(Math.max(from, lap.startTime))
  const duration = to - from
  return {
    lapId: lap.id,
    lapNumber: lap.lapNumber,
    type: "implausible_value",
    timestamp: from,
    distance: at === null ? null : rounded(at),
    value: null,
    expected: null,
    severity: duration > 1 ? "high" : "medium",
    description: `On lap ${lap.lapNumber}${at === null ? "" : ` from ${Math.round(at)} m`} its ${what}`,
    channel: CHANNELS[source],
    z: null,
    lapsInBaseline: 0,
    duration: rounded(duration),
    cost: null,
    costUncertainty: null
  }
}

/** `reported`: findings of the other rules. A fault that lies within one of these, or contains one, is the same. */
export const unreportedFaults = (
  { laps }: SessionEvidence,
  reported: ReadonlyArray<Finding>
): ReadonlyArray<Finding> =>
  laps.flatMap((evidence) =>
    faultsOf(evidence)
      .filter(
        ({ from, to }) =>
          !reported.some(
            ({ duration, lapId, timestamp }) =>
              lapId === evidence.lap.id && timestamp <= to && timestamp + duration >= from
          )
      )
      .map((fault) => tell(evidence, fault))
  )
