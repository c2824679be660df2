/** A difference between a lap and the faster one that may explain a loss, and the choice among several. */
import type { CornerPass, Loss } from "../../domain/analysis/comparison.ts"
import type { Interval } from "../corners/cornerPoints.ts"

/** The two places between which something is seen, m. */
export type Between = readonly [from: number, to: number]

export interface PossibleCause {
  readonly cause: NonNullable<Loss["cause"]>
  /** In words, as the verb of a sentence whose subject is the lap. */
  readonly what: string
  /** s, by itself. */
  readonly costs: number
  readonly where: Between
}

/** A pedal's point that differs by less is no cause, m: at 10 Hz it is interpolated. */
export const METRES = 3

/**
 * A cause must explain at least this share of the loss by itself; otherwise the sentence gives the place and the loss,
 * but no cause.
 */
export const EXPLAINS = 0.5

/** The costliest of the causes that explain most of the loss, s; of equal ones the first. */
export const explains = (
  findings: ReadonlyArray<PossibleCause | undefined>,
  lost: number
): PossibleCause | undefined =>
  findings
    .filter((one): one is PossibleCause => one !== undefined && one.costs >= EXPLAINS * lost)
    .reduce<PossibleCause | undefined>(
      (best, one) => (best !== undefined && best.costs >= one.costs ? best : one),
      undefined
    )

/** By how much one interval begins, or ends, before another, m; 0 where their order is unknown. */
export const before = (one: Interval, other: Interval): number =>
  one[1] < other[0] || other[1] < one[0] ? (other[0] + other[1] - one[0] - one[1]) / 2 : 0

/** A pass with known speeds and time. */
export type KnownPass = {
  readonly [K in keyof CornerPass]: K extends `${string}Point` | `${string}Interval` ? CornerPass[K] : number
}

export const isKnown = (pass: CornerPass): pass is KnownPass =>
  pass.minimumSpeed !== null && pass.time !== null

/** As in sentences. */
export const round = (value: number) => Math.round(value)
