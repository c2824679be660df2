import { describe, expect, it } from "vitest"
import type { Anomaly } from "../../../src/domain/analysis/anomalies.ts"
import type { LapData } from "../../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import type { Channel } from "../../../src/domain/pointChannels.ts"
import { needing } from "../../support/needing.ts"
import { recordingsHere } from "../../support/sharedData.ts"
import { changed } from "../faults.ts"
import { drivenLaps, recordedLaps } from "../sessions.ts"

const inOtherUnit = (session: ReadonlyArray<LapData>, channel: Channel, factor: number) =>
  session.map((lap) =>
    changed(lap, [-10, lap.lap.endTime - lap.lap.startTime + 10], channel, (value) => value * factor)
  )

/** The wheel turns by 450 degrees to its stop. */
const LOCK = 450

const units: ReadonlyArray<readonly [what: string, channel: Channel, factor: number, named: RegExp]> = [
  ["steering in degrees", "steering", LOCK, /degrees$/],
  ["steering in radians", "steering", (LOCK / 180) * Math.PI, /radians$/],
  ["a throttle of per cent", "throttle", 100, /per cent$/],
  ["a throttle of a byte", "throttle", 255, /steps$/],
  ["a brake of per cent", "brake", 100, /per cent$/],
  ["a speed in m/s", "speed", 1 / 3.6, /metres a second$/],
  ["a speed in miles an hour", "speed", 1 / 1.609, /miles an hour$/]
]

const about = (anomalies: ReadonlyArray<Anomaly>, channel: string) =>
  anomalies.filter((one) => one.type === "implausible_value" && one.channel === channel)

const sessions: ReadonlyArray<readonly [string, () => ReadonlyArray<LapData>]> = [
  ["the simulator", () => drivenLaps({ laps: 6, hz: 20, seed: 2 })],
  ["one lap of the simulator", () => drivenLaps({ laps: 1, hz: 20, seed: 2 })]
]
const real: typeof sessions = ["ams2-road-america", "ac-lime-rock"].map((name) => [
  name,
  () => recordedLaps(name)
])

// Guards against an alarm for each bend of each lap about one setting of a driver.
const tellsOne = (read: () => ReadonlyArray<LapData>) =>
  it.each(units)("%s: one finding about the channel", (_, channel, factor, named) => {
    const laps = read()
    const found = about(sessionAnomalies(1, inOtherUnit(laps, channel, factor)).anomalies, channel)
    expect(found).toHaveLength(1)
    expect(found[0]!.description).toMatch(named)
    expect(found[0]!.count).toBeGreaterThanOrEqual(laps.length / 2)
    expect(found[0]!.occurrences).toHaveLength(found[0]!.count)
    // A single wrong value is not a wrong unit.
    const glitch = laps.map((lap, l) => (l > 0 ? lap : changed(lap, [20, 20.2], channel, () => 900)))
    expect(about(sessionAnomalies(1, glitch).anomalies, channel)[0]?.description).not.toMatch(named)
  })

describe.each(sessions)("a unit of %s", (_, read) => {
  tellsOne(read)
})

describe.each(real)("a unit of %s", needing(recordingsHere), (_, read) => {
  tellsOne(read)
})
