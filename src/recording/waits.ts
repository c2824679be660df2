/** Synchronous work that sometimes has to wait, and costs no fiber where it has not. */
import { Effect } from "effect"

/** The Effect to await before the work is done; undefined where it is done. */
export type Wait = Effect.Effect<unknown> | undefined

/** The wait, and then the rest of the work with its own. */
export const andThen = (wait: Effect.Effect<unknown>, rest: () => Wait): Effect.Effect<unknown> =>
  Effect.flatMap(wait, () => rest() ?? Effect.void)
