/**
 * Needs of a test that a machine may lack: real data beside the checkout, a server, a browser. Such a test is left out by
 * name, with the reason, which the run prints once at its end (LeftOut.ts).
 */
import type { TaskMeta } from "vitest"

declare module "vitest" {
  interface TaskMeta {
    /** The missing needs of a test or a suite that was left out. */
    leftOut?: string
  }
}

export interface Need {
  /** The missing need, and how to get it; undefined if it is met. */
  readonly missing: string | undefined
}

/** The options of a test, or of a suite, that runs only if all of these needs are met. */
export const needing = (
  ...needs: ReadonlyArray<Need>
): { readonly skip?: boolean; readonly meta?: TaskMeta } => {
  const missing = needs.flatMap((need) => need.missing ?? [])
  return missing.length === 0 ? {} : { skip: true, meta: { leftOut: missing.join("; ") } }
}
