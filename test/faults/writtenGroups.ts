/** The samples that a process writes, until it is killed, with the BATCH points of each commit: half as many of one group, one of another. */
import type { RowBatch } from "../../src/domain/RowBatch.ts"
import { groupSamples } from "../contracts/groupSamples.ts"

export const BATCH = 130
export const RATE = 64

const TYRES = BATCH / 2
const slow = { columns: ["timestamp", "fuel"], rate: RATE / BATCH }

/** The samples of the commit of this number, counted from 0. */
export const tyresOf = (commit: number): RowBatch =>
  groupSamples(0, TYRES, { rate: RATE / 2, first: commit * TYRES })

export const slowOf = (commit: number): RowBatch => groupSamples(0, 1, { ...slow, first: commit })

/** The samples of so many commits. */
export const allTyres = (commits: number): RowBatch => groupSamples(0, commits * TYRES, { rate: RATE / 2 })

export const allSlow = (commits: number): RowBatch => groupSamples(0, commits, slow)
