/** Where a server cannot be had its suites are left out by name; in CI that is a failure. */
import type { Need } from "../needing.ts"

/** `otherwise`: what is missing, and what it takes. */
export const server = (here: boolean, otherwise: string): Need => {
  if (!here && process.env["CI"] === "true") throw new Error(otherwise)
  return { missing: here ? undefined : otherwise }
}
