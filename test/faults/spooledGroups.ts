/** A session of points and two groups, as it is written: a commit has BATCH points and the samples of the same time. */
import { POINTS } from "../../src/domain/Dictionary.ts"
import type { SessionRows } from "../../src/store/RowStore.ts"
import { groupSamples } from "../contracts/groupSamples.ts"
import { part, samplePoints } from "../contracts/samples.ts"

export const CATALOG = "a catalog"

const START = 1.7e9
const RATE = 64
const BATCH = 2048
/** Samples of a group in a commit. */
const TYRES = BATCH / 2
const FUEL = BATCH / 64

export const spooledGroups = (commits: number) => {
  const points = samplePoints(START, commits * BATCH, RATE)
  const tyres = groupSamples(START, commits * TYRES, { rate: RATE / 2 })
  const fuel = groupSamples(START, commits * FUEL, { columns: ["timestamp", "fuel"], rate: 1 })
  return {
    points,
    tyres,
    fuel,
    /** The samples in the commit of this number, counted from 0. */
    commit: (n: number): ReadonlyArray<SessionRows> => [
      { sessionId: 1, group: POINTS, batch: part(points, n * BATCH, (n + 1) * BATCH) },
      { sessionId: 1, group: "tyres", batch: part(tyres, n * TYRES, (n + 1) * TYRES) },
      { sessionId: 1, group: "fuel", batch: part(fuel, n * FUEL, (n + 1) * FUEL) }
    ]
  }
}
