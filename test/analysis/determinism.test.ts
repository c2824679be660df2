import { describe, expect, it } from "vitest"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { theoreticalBest } from "../../src/analysis/compare/comparable.ts"
import { consistency } from "../../src/analysis/compare/consistency.ts"
import { microSectors } from "../../src/analysis/compare/microSectors.ts"
import { predictNextLap } from "../../src/analysis/predictions/predictions.ts"
import { type Need, needing } from "../support/needing.ts"
import { recordings, recordingsHere } from "../support/sharedData.ts"
import { recording } from "./pairs.ts"
import { copyOf, drivenLaps, lapsOf } from "./sessions.ts"
import { allAnalyses } from "./allAnalyses.ts"

interface Studied {
  readonly name: string
  readonly laps: () => ReadonlyArray<LapData>
  readonly needs: ReadonlyArray<Need>
}

const drives: ReadonlyArray<Studied> = [
  { name: "a drive at 60 Hz", laps: () => drivenLaps({ laps: 6, seed: 2 }), needs: [] },
  {
    name: "a drive at 10 Hz",
    laps: () => drivenLaps({ circuit: "Port Averno", vehicle: 1, laps: 6, seed: 3, hz: 10 }),
    needs: []
  }
]

const real = recordings.map((name): Studied => ({
  name,
  laps: () => recording(name),
  needs: [recordingsHere]
}))

const bitsOf = ({ buffer, byteLength, byteOffset }: Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64")

/** All bytes of a value, and all bits of columns. */
const bytes = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (inner instanceof Float64Array ? bitsOf(inner) : inner))

/** Results without an order of their own must not depend on the order of the laps. */
const unordered = (laps: ReadonlyArray<LapData>): string => {
  const alignment = align(laps, 5)!
  const records = lapsOf(laps)
  return bytes([
    predictNextLap(records),
    consistency(records, alignment),
    microSectors(alignment),
    theoreticalBest(records)
  ])
}

for (const { laps, name, needs } of [...drives, ...real])
  describe(`of ${name}`, needing(...needs), () => {
    // Guards caches, tests and users: the same input gives the same bytes, whatever was computed in between. And callers:
    // points are read, by several analyses at once, and never written.
    it("every analysis gives the same bytes again, and changes no input", () => {
      const session = laps()
      const before = bytes(session)
      const first = bytes(allAnalyses(session))
      expect(bytes(session) === before).toBe(true)
      allAnalyses(drivenLaps({ laps: 3, hz: 10, seed: 5 }))
      expect(bytes(allAnalyses(session.map(copyOf))) === first).toBe(true)
    })

    // Guards against the order in which a store happens to give the laps.
    it("the order of the laps changes no result without an order of its own", () => {
      const session = laps()
      expect(unordered(session.toReversed()) === unordered(session)).toBe(true)
    })
  })
