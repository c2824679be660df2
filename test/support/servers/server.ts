/** If a server is not available, its suites are left out by name; in CI that is a failure. */
import type { Need } from "../needing.ts"

/** `otherwise`: the missing need, and how to get it. */
export const server = (here: boolean, otherwise: string): Need => {
  if (!here && process.env["CI"] === "true") throw new Error(otherwise)
  return { missing: here ? undefined : otherwise }
}
