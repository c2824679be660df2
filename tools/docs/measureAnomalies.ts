/**
 * Measures the figures about anomalies in docs/analysis/method.md: false alarms on clean laps, and detected injected faults; ten minutes.
 *
 *   npm run measure:anomalies
 *
 * Truth is the bundled simulator's, or an injected fault. The laps at pace of recordings are assumed to be free of faults in the
 * data, although this is not known.
 */
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { comparableLaps } from "../../src/analysis/compare/comparable.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { contradicting, kinds } from "../../test/analysis/faultKinds.ts"
import { shortKinds, wheelKind } from "../../test/analysis/driverKinds.ts"
import { type Injected, injected } from "../../test/analysis/injected.ts"
import { portlandLaps } from "../../test/analysis/portland.ts"
import { withWheels } from "../../test/analysis/companionChannels.ts"
import { drive as driveOf } from "../../test/analysis/lapData.ts"
import { drivenLaps, START, withoutAnyMistake } from "../../test/analysis/sessions.ts"
import { bahrain, caseLaps, limeRock, needSharedData, recordsOf, roadAmerica } from "./sharedData.ts"

needSharedData()

const RUNS = 16
const CLEAN_SESSIONS = 180
/** These were not used to develop the rules. */
const FIRST_SEED = 7000
const RATES_OF_WHEELS = [4, 10, 20, 60]
const RATES = [4, 5, 8, 10, 15, 20]

const recordings: ReadonlyArray<readonly [string, ReadonlyArray<LapData>]> = [
  ["Bahrain", bahrain()],
  ["Road America", roadAmerica()],
  ["Lime Rock", limeRock()],
  ["Portland", portlandLaps()]
]

const drive = (circuit: string, vehicle: number, hz: number, seed: number) =>
  drivenLaps({ circuit, vehicle, hz, seed, laps: 8 })

const row = (cells: ReadonlyArray<string>) => console.log(`| ${cells.join(" | ")} |`)
const share = (all: ReadonlyArray<Injected>) =>
  all.length === 0 ? "" : `${all.filter(({ found }) => found).length} of ${all.length}`

console.log(`\nalarms in ${CLEAN_SESSIONS} clean simulated sessions of 12 laps at ${RATES.join(", ")} Hz\n`)
let alarms = 0
for (let i = 0; i < CLEAN_SESSIONS; i++) {
  const [circuits, vehicles] = [circuitNames.length, 3]
  const circuit = circuitNames[i % circuits]!
  const vehicle = Math.floor(i / circuits) % vehicles
  const hz = RATES[Math.floor(i / (circuits * vehicles)) % RATES.length]!
  const seed = FIRST_SEED + i
  const laps = drivenLaps({ circuit, vehicle, hz, seed, laps: 12, taken: withoutAnyMistake() })
  for (const { description, type } of sessionAnomalies(1, laps).anomalies) {
    alarms++
    console.log(`${circuit}, vehicle ${vehicle}, ${hz} Hz, seed ${seed}: ${type}. ${description}`)
  }
}
console.log(`${alarms} in all`)

console.log("\nof faults put in at random places, found\n")
const sessions = [
  ...recordings,
  ["simulated, 4 Hz", drive("Port Averno", 0, 4, 71)],
  ["10 Hz", drive("Hollin Moor", 1, 10, 72)],
  ["20 Hz", drive("Sankt Arven", 2, 20, 73)],
  ["60 Hz", drive("Larkspur Park", 0, 60, 74)]
] as const
row(["fault", "s", ...sessions.map(([name]) => name), "reported of other laps"])
row(Array.from({ length: sessions.length + 3 }, () => "---"))
for (const kind of [...kinds, ...shortKinds]) {
  const found = sessions.map(([, laps], s) => injected(laps, kind, RUNS, 100 + s))
  const blamed = found.flat().reduce((sum, one) => sum + one.blamed, 0)
  row([kind.name, kind.lasts.join(" to "), ...found.map(share), String(blamed)])
}

console.log(
  "\nshort faults with seeds that no rule was made by, the last recording without any part in the rules, found\n"
)
const unseen = [...sessions, ["Monaco", caseLaps("race-monaco")]] as const
row(["fault", "s", ...unseen.map(([name]) => name), "reported of other laps"])
row(Array.from({ length: unseen.length + 3 }, () => "---"))
for (const kind of shortKinds) {
  const found = unseen.map(([, laps], s) => injected(laps, kind, RUNS, FIRST_SEED + s))
  const blamed = found.flat().reduce((sum, one) => sum + one.blamed, 0)
  row([kind.name, kind.lasts.join(" to "), ...found.map(share), String(blamed)])
}

const wheels = RATES_OF_WHEELS.map((hz, n) => {
  const circuit = circuitNames[n % circuitNames.length]!
  const from = driveOf(circuit, n % 3, 81 + n)
  const laps = drive(circuit, n % 3, hz, 81 + n).map((lap) => withWheels(lap, from, START))
  return injected(laps, wheelKind, RUNS, 300 + n)
})
console.log(`\n${wheelKind.name}, points at ${RATES_OF_WHEELS.join(", ")} Hz: ${share(wheels.flat())}`)

console.log("\nrevolutions 20 to 28 % too high, by how long\n")
const LENGTHS = [0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 5]
const revolutions = contradicting.find(({ channels }) => channels.includes("rpm"))!
row(["", ...LENGTHS.slice(1).map((to, b) => `${LENGTHS[b]} to ${to} s`)])
row(LENGTHS.map(() => "---"))
for (const [name, laps] of recordings.slice(0, 3)) {
  row([
    name,
    ...LENGTHS.slice(1).map((to, b) =>
      share(injected(laps, { ...revolutions, lasts: [LENGTHS[b]!, to] }, RUNS, 500 + b))
    )
  ])
}

console.log("\nfindings on laps of the recordings at pace, as they were driven\n")
for (const [name, laps] of recordings) {
  const pace = new Set(comparableLaps(recordsOf(laps)).map(({ id }) => id))
  const counts = new Map<string, number>()
  for (const { channel, occurrences, type } of sessionAnomalies(1, laps).anomalies) {
    const count = occurrences.filter(({ lapId }) => pace.has(lapId)).length
    const what = `${type} (${channel})`
    if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count)
  }
  const reported = [...counts].sort().map(([what, count]) => `${count} ${what}`)
  console.log(`${name}, ${pace.size} laps at pace: ${reported.join(", ")}`)
}
