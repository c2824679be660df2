/**
 * What a machine may lack that a test needs: real data beside the checkout, a server, a browser. Such a test is left out by
 * its name and with the reason, which the run says once, at its end (LeftOut.ts).
 */
import type { TaskMeta } from "vitest"

declare module "vitest" {
  interface TaskMeta {
    /** Why a test or a suite was left out: what is not here. */
    leftOut?: string
  }
}

export interface Need {
  /** What is not here, and how it can be had; undefined where it is here. */
  readonly missing: string | undefined
}

/** The options of a test, or of a suite, that runs only where all of this is here. */
export const needing = (
  ...needs: ReadonlyArray<Need>
): { readonly skip?: boolean; readonly meta?: TaskMeta } => {
  const missing = needs.flatMap((need) => need.missing ?? [])
  return missing.length === 0 ? {} : { skip: true, meta: { leftOut: missing.join("; ") } }
}
