/**
 * Measures the figures of docs/analysis/method.md about laps placed by `lap_distance` and about locking and spinning wheels, on simulated drives; some minutes.
 *
 *   npm run node tools/docs/measureCompanionChannels.ts
 *
 * test/analysis/anomalies/wheelSlip.test.ts checks wheels in real packets.
 */
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { LAP_DISTANCE } from "../../src/analysis/compare/channelTraces.ts"
import { median, quantile } from "../../src/analysis/math/robust.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { bell } from "../../simulator/model/random.ts"
import { drive } from "../../test/analysis/lapData.ts"
import { reportedOf } from "../../test/analysis/modelDelta.ts"
import { drivenLaps, START, withoutAnyMistake } from "../../test/analysis/sessions.ts"
import {
  drivenSince,
  reportedLap,
  withDistance,
  withoutPositions,
  withWheels
} from "../../test/analysis/companionChannels.ts"

const CIRCUITS = ["Hollin Moor", "Port Averno", "Sankt Arven"]
const LAPS = 4
const FIRST_SEED = 900

const alone = ({ lap, points }: LapData): LapData => ({ lap, points })
const changed = (data: LapData, change: (metres: number, sample: number) => number): LapData =>
  withDistance(alone(data), data.around![0]!.batch.column(LAP_DISTANCE).map(change))
const noisy = (metres: number) => (data: LapData) =>
  changed(data, (one, i) => one + metres * bell(7, data.lap.id, i))

const kinds: ReadonlyArray<readonly [string, (data: LapData) => LapData]> = [
  ["positions", alone],
  ["distance", (data) => data],
  ["distance, no positions", withoutPositions],
  ["speed", (data) => withoutPositions(alone(data))],
  ["distance 1 % too long", (data) => changed(data, (one) => 1.01 * one)],
  ["in whole metres", (data) => changed(data, Math.floor)],
  ["noise of 0.5 m", noisy(0.5)],
  ["noise of 2 m", noisy(2)],
  ["noise of 2 m, no positions", (data) => withoutPositions(noisy(2)(data))],
  ["the car's own way", (data) => withDistance(alone(data), drivenSince(data))],
  ["the same, no positions", (data) => withoutPositions(withDistance(alone(data), drivenSince(data)))]
]

const milliseconds = (seconds: number) => (1000 * seconds).toFixed(1)

for (const hz of [60, 10]) {
  console.log(`\nlaps by lap_distance, ${hz} Hz: method, median, 95 %, worst, ms\n`)
  const drives = CIRCUITS.map((circuit, c) => {
    const from = drive(circuit, c, FIRST_SEED + c)
    const clean: Array<number> = []
    for (let lap = 2; clean.length < LAPS; lap++) if (from.lap(lap).mistake === undefined) clean.push(lap)
    return { from, clean: new Set(clean), laps: clean.map((lap) => reportedLap(from, lap, hz)) }
  })
  for (const [name, reported] of kinds) {
    const methods = new Set<string>()
    const errors = drives.flatMap(({ clean, from, laps }) => {
      const session = laps.map(reported)
      methods.add(align(session, 2)!.method)
      return reportedOf(from, session, clean).map(({ error }) => Math.abs(error))
    })
    const worst = errors.reduce((most, one) => Math.max(most, one), 0)
    const figures = [median(errors), quantile(errors, 0.95), worst].map(milliseconds)
    console.log(`${name}: ${[...methods].join(" or ")}, ${figures.join(", ")} (${errors.length} places)`)
  }
}

const DRIVES = 10
const FIRST_DRIVE = 100
const RATES = [60, 20, 10]
const counts = { lockUps: 0, byWheels: 0, without: 0, else: 0, clean: 0 }
for (let i = 0; i < DRIVES; i++) {
  const wish = {
    circuit: circuitNames[i % circuitNames.length]!,
    vehicle: Math.floor(i / circuitNames.length) % 3,
    seed: FIRST_DRIVE + i,
    hz: RATES[i % RATES.length]!
  }
  const from = drive(wish.circuit, wish.vehicle, wish.seed)
  const alarmsOf = (laps: ReadonlyArray<LapData>) =>
    sessionAnomalies(
      1,
      laps.map((data) => withWheels(data, from, START))
    ).anomalies
  const laps = drivenLaps({ ...wish, laps: 16 })
  const found = alarmsOf(laps)
  const before = sessionAnomalies(1, laps).anomalies
  for (const { driven, lap } of laps) {
    const wheels = found.filter(({ channel, lapId }) => lapId === lap.id && channel.startsWith("wheel_"))
    if (driven.mistake !== "lock-up") {
      counts.else += wheels.length
      continue
    }
    counts.lockUps++
    if (wheels.length > 0) counts.byWheels++
    if (before.some(({ lapId, type }) => lapId === lap.id && type === "lock_up_or_spin")) counts.without++
  }
  counts.clean += alarmsOf(drivenLaps({ ...wish, laps: 12, taken: withoutAnyMistake() })).length
}
console.log(
  `\n${DRIVES} drives of 16 laps: ${counts.lockUps} lock-ups, reported by the wheels ${counts.byWheels}, without them ` +
    `${counts.without}; reported by the wheels of other laps ${counts.else}; alarms in ${DRIVES} clean drives ${counts.clean}`
)
