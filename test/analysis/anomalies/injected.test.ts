/** Faults of every kind in every recording, and channels that stand still. */
import { describe, expect, it } from "vitest"
import type { Anomaly } from "../../../src/domain/analysis/anomalies.ts"
import type { LapData } from "../../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import { needing } from "../../support/needing.ts"
import { runs } from "../../support/runs.ts"
import { recordingsHere } from "../../support/sharedData.ts"
import { changed, frozen } from "../faults.ts"
import { type Kind, kinds } from "../faultKinds.ts"
import { injected } from "../injected.ts"
import { portlandLaps } from "../portland.ts"
import { drivenLaps, recordedLaps, withoutAnyMistake } from "../sessions.ts"

const recordings: ReadonlyArray<readonly [string, () => ReadonlyArray<LapData>]> = [
  ["Road America", () => recordedLaps("ams2-road-america").slice(3, 11)],
  ["Lime Rock", () => recordedLaps("ac-lime-rock")],
  ["Portland", portlandLaps]
]
/** Each kind is put in once, into one of the recordings; with `npm run test:long`, four times into each. */
const RUNS = runs(1)
const isLong = RUNS > 1
/** Kinds that are often missed, as docs/analysis/method.md states, are measured there. */
const OFTEN_MISSED = new Set(["throttle frozen", "steering frozen", "gear frozen"])
const sure = kinds.filter(({ name }) => !OFTEN_MISSED.has(name))

describe.each(recordings)("%s", needing(recordingsHere), (name, read) => {
  const turn = recordings.findIndex(([other]) => other === name)
  const put = sure.filter((_, n) => isLong || n % recordings.length === turn)

  it("faults of every kind are found, wherever they are", () => {
    const all = put.flatMap((kind: Kind) => injected(read(), kind, RUNS, 31))
    const found = all.filter((one) => one.found)
    expect(all.length).toBeGreaterThanOrEqual(3)
    expect(found.length).toBeGreaterThanOrEqual(0.9 * all.length)
  })
})

const frozenOf = (session: ReadonlyArray<LapData>): ReadonlyArray<Anomaly> =>
  sessionAnomalies(1, session).anomalies.filter(({ type }) => type === "frozen_channel")

describe("laps at pace as they were driven", needing(recordingsHere), () => {
  it("have no faults of the data at Portland, except its own gaps", () => {
    const reported = sessionAnomalies(1, portlandLaps()).anomalies.map(({ type }) => type)
    expect(reported.filter((type) => ["frozen_channel", "contradiction", "pause"].includes(type))).toEqual([])
  })
})

const drive = (circuit: string, vehicle: number, hz: number, seed: number) =>
  drivenLaps({ circuit, vehicle, hz, seed, laps: 12, taken: withoutAnyMistake() })

describe("a channel that stands still", () => {
  // Guards against alarms about a wheel that is held straight, while its sensor is a ten-thousandth off.
  it.each([
    ["Port Averno", 2, 8, 1041],
    ["Cinder Bowl", 2, 20, 1087],
    ["Port Averno", 0, 15, 1151]
  ] as const)("%s: a wheel that is held straight is not frozen", (circuit, vehicle, hz, seed) => {
    expect(frozenOf(drive(circuit, vehicle, hz, seed)).map(({ description }) => description)).toEqual([])
  })

  const session = drive("Hollin Moor", 0, 20, 4)

  it("is not frozen if it is a pedal at its stop of 0.95, and is frozen elsewhere", () => {
    const stopped = session.map((lap) =>
      changed(lap, [-1, 1e3], "throttle", (value) => Math.min(value, 0.95))
    )
    expect(frozenOf(stopped)).toEqual([])
    const stuck = stopped.map((lap, l) => (l === 5 ? changed(lap, [30, 36], "throttle", () => 0.43) : lap))
    expect(frozenOf(stuck).map(({ channel, lapId }) => [channel, lapId])).toEqual([
      ["throttle", session[5]!.lap.id]
    ])
  })

  it("does not hide a frozen one if another channel explains it", () => {
    const straight = drive("Port Averno", 2, 8, 1041)
    const l = straight.findIndex(({ lap }) => lap.lapNumber === 10)
    const both = straight.map((lap, other) => (other === l ? frozen(lap, [40, 43], "steering") : lap))
    expect(
      frozenOf(both).map(({ lapNumber, timestamp }) => [
        lapNumber,
        Math.round(timestamp - straight[l]!.lap.startTime)
      ])
    ).toEqual([[10, 40]])
  })
})
