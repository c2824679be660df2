/**
 * The place of each point of a lap by its simulator's own distance, checked against the distance that its speed gives.
 */
import { judge } from "./agreement.ts"
import type { Fault } from "../faults/fault.ts"
import { usableSpeed } from "../faults/usableSpeed.ts"
import { fuse, unrest } from "./fusion.ts"
import { blamed, faultBy, odometer, type Placement, since, unsoundBy } from "./placement.ts"
import type { SourcedLap } from "./projected.ts"
import { reportedAt, type ReportedLap } from "./reportedDistance.ts"
import { reportedBy } from "./reportedWay.ts"

/**
 * A line other than the circuit's own is longer or shorter without any fault: 5 m aside through a hairpin are 16 m.
 * Only a greater disagreement is a fault, m.
 */
const ANOTHER_LINE_M = 20

/**
 * Places by the distance, except where the speed shows that it is wrong. `known`: faults that the lap's positions and
 * its speed show. Faults of the positions do not make these places doubtful.
 */
export const byReported = (
  lap: SourcedLap,
  reported: ReportedLap,
  known: ReadonlyArray<Fault>
): Placement => {
  const start = lap.lap.startTime
  const { t } = lap.sources
  const time = since(lap, t)
  const place = reportedAt(reported, t)
  const kept = Int32Array.from(t.keys())
  const drive = (sources: SourcedLap["sources"]) => {
    const speed = usableSpeed(sources)
    for (let i = 0; i < place.length; i++) if (sources.placeWrong[i] === 1) place[i] = Number.NaN
    const driven = odometer(t, speed)
    return { time, place, driven, speed, speedWrong: sources.speedWrong, unrest: unrest(time, speed) }
  }
  type Driven = ReturnType<typeof drive>
  const wayOf = (one: Driven) => {
    const way = lap.sources.hasSpeed ? reportedBy(time, place, one.driven, one.speed) : undefined
    return way && { ...way, ...judge({ ...one, offset: way.offset }) }
  }
  // A wrong position does not make the distance wrong.
  const own = { ...lap.sources, placeWrong: new Uint8Array(t.length) }
  let driven = drive(own)
  let way = wayOf(driven)
  const found = (way?.found ?? [])
    .filter(({ shift }) => Math.abs(shift) > ANOTHER_LINE_M)
    .map((one) => (one.blame === "positions" ? { ...one, blame: "distance" as const } : one))
  if (found.length > 0) {
    driven = drive(blamed(own, time, kept, found))
    way = wayOf(driven)
  }
  const disagreeing = found.map((one) => faultBy(one, t, start, "lap_distance"))
  const ofSources = lap.sources.faults.filter(({ source }) => source !== "positions")
  return {
    ...fuse(driven, way, false),
    time,
    speed: driven.speed,
    aside: new Float64Array(t.length),
    unrest: driven.unrest,
    faults: [...known, ...disagreeing.filter(({ source }) => source === "distance")],
    unsound: unsoundBy(lap, [...ofSources, ...disagreeing])
  }
}
