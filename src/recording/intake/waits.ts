/** Synchronous work that sometimes has to wait, and costs no fiber if it does not. */
import { Effect } from "effect"

/** The Effect to await before the work is done; undefined if it is done. */
export type Wait = Effect.Effect<unknown> | undefined

/** The wait, followed by the rest of the work with its own wait. */
export const andThen = (wait: Effect.Effect<unknown>, rest: () => Wait): Effect.Effect<unknown> =>
  Effect.flatMap(wait, () => rest() ?? Effect.void)

/** Does the rest of the work: immediately if there is nothing to wait for. */
export const afterwards = (wait: Wait, rest: () => Wait): Wait =>
  wait === undefined ? rest() : andThen(wait, rest)
