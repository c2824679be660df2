/** Laps for property tests, of simulated drives and of real recordings; each drive is driven once. */
import { FastCheck as fc } from "effect"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { comparableLaps } from "../../src/analysis/compare/comparable.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"
import { drive, drivenLap, recordedLaps } from "./lapData.ts"
import { recordings } from "../support/sharedData.ts"
import { portlandLaps } from "./portland.ts"
import { drivenLaps, lapsOf, withoutMistake } from "./sessions.ts"

/** At least two different laps, in any order. */
export type Pair = readonly [LapData, LapData]

const known = new Map<string, ReadonlyArray<LapData>>()
const keep = (name: string, make: () => ReadonlyArray<LapData>): ReadonlyArray<LapData> => {
  const kept = known.get(name) ?? make()
  known.set(name, kept)
  return kept
}

/** A drive's laps 2 to 6, which begin at speed; some of them have mistakes. */
const driven = (circuit: string, vehicle: number, seed: number, rate: number) =>
  keep(`${circuit} ${vehicle} ${seed} ${rate}`, () => {
    const from = drive(circuit, vehicle, seed)
    return [2, 3, 4, 5, 6].map((number) => drivenLap(from, number, rate))
  })

/** Every lap of a recording, also in the garage and with the pause. */
export const recording = (name: string): ReadonlyArray<LapData> =>
  keep(name, () => (name === "portland-gps" ? portlandLaps() : recordedLaps(name)))

/** The laps that are valid and within 107 % of the best. */
export const atPace = (laps: ReadonlyArray<LapData>): ReadonlyArray<LapData> => {
  const pace = new Set(comparableLaps(lapsOf(laps)).map(({ id }) => id))
  return laps.filter(({ lap }) => pace.has(lap.id))
}

const two = (laps: ReadonlyArray<LapData>): fc.Arbitrary<Pair> =>
  fc.shuffledSubarray([...laps], { minLength: 2, maxLength: 2 }).map(([one, other]): Pair => [one!, other!])

/** Every circuit and vehicle, with fast and slow feeds. */
export const simulated: fc.Arbitrary<Pair> = fc
  .tuple(fc.constantFrom(...circuitNames), fc.integer({ min: 1, max: 3 }), fc.constantFrom(60, 10))
  .chain(([circuit, seed, rate]) => two(driven(circuit, seed % vehicles.length, seed, rate)))

/** A drive's first laps, of which one may have a mistake, be invalid, or begin from standing. */
export const session: fc.Arbitrary<ReadonlyArray<LapData>> = fc
  .tuple(
    fc.constantFrom(...circuitNames),
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom(30, 10),
    fc.integer({ min: 1, max: 6 })
  )
  .map(([circuit, seed, hz, laps]) =>
    keep(`session ${circuit} ${seed} ${hz}`, () => drivenLaps({ circuit, seed, hz, laps: 6 })).slice(0, laps)
  )

/** Some laps of a drive without mistakes. */
export const cleanSession: fc.Arbitrary<ReadonlyArray<LapData>> = fc
  .tuple(fc.constantFrom(...circuitNames), fc.integer({ min: 1, max: 2 }), fc.integer({ min: 4, max: 7 }))
  .map(([circuit, seed, laps]) =>
    keep(`clean ${circuit} ${seed}`, () =>
      drivenLaps({
        circuit,
        seed,
        hz: 20,
        laps: 7,
        taken: (lap) => lap.lapNumber > 1 && lap.valid && withoutMistake(lap)
      })
    ).slice(0, laps)
  )

export const recorded: fc.Arbitrary<Pair> = fc
  .constantFrom(...recordings)
  .chain((name) => two(recording(name)))
