/** A circuit's layout as its laps showed it. The catalog keeps it, so that a place has the same number in every answer. */
import { Schema } from "effect"
import { Direction, FoundBy } from "./analysis/comparison.ts"

export const LayoutCorner = Schema.Struct({
  /** From 1; null for a corner that was found after the numbers were given. */
  number: Schema.NullOr(Schema.Int),
  /** The number, or the number of the corner before with a letter: `3a`. */
  label: Schema.String,
  /** The circuit's name for the corner; null if it has none. */
  name: Schema.NullOr(Schema.String),
  /** Null if the corner was found by speed. */
  direction: Schema.NullOr(Direction),
  /** m from the start line to the apex. */
  distance: Schema.Finite,
  /** Null if the corner comes from a map. */
  foundBy: Schema.NullOr(FoundBy)
})
export type LayoutCorner = typeof LayoutCorner.Type

export const CircuitLayout = Schema.Struct({
  /** m: the length of the lap that was examined. */
  length: Schema.Finite,
  /** The number of laps that were examined. */
  laps: Schema.Int,
  /** The known circuit that the laps match, as answers give it; null if they match none. */
  official: Schema.NullOr(
    Schema.Struct({ name: Schema.String, score: Schema.Finite, margin: Schema.Finite })
  ),
  /** In the order driven. */
  corners: Schema.Array(LayoutCorner)
})
export type CircuitLayout = typeof CircuitLayout.Type

/** The layouts of one circuit, and how often they were replaced (0: never kept). */
export interface CircuitLayouts {
  readonly version: number
  readonly layouts: ReadonlyArray<CircuitLayout>
}

/**
 * The maximum number of layouts under one name. On further ones no sectors are cut, and corners are numbered anew in
 * each answer.
 */
export const MAX_LAYOUTS = 32
