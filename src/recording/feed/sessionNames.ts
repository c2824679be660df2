import { MAX_NAME } from "../../domain/Configuration.ts"
import type { SessionNames } from "../../domain/Session.ts"
import { toName } from "../../domain/text.ts"

/** Applies the rules for names that users give, so that a session can be found by the name. */
const nameOf = (said: string, fallback = "") =>
  toName(said, MAX_NAME) || toName(fallback, MAX_NAME) || "Unknown"

/** The simulator's name, else the user's, else "Unknown". */
export const namesOf = (
  said: SessionNames,
  fallback: { readonly [K in keyof SessionNames]?: string | undefined }
): SessionNames => ({
  circuit: nameOf(said.circuit, fallback.circuit),
  vehicle: nameOf(said.vehicle, fallback.vehicle),
  driver: nameOf(said.driver, fallback.driver)
})

export const sameNames = (a: SessionNames, b: SessionNames) =>
  a.circuit === b.circuit && a.vehicle === b.vehicle && a.driver === b.driver
