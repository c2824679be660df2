import type { SessionNames } from "../domain/Session.ts"

/** A session's names are cut to what the interface allows users to give. */
const LONGEST_NAME = 200

/** Cut where it leaves the name whole: neither half a character at its end, nor a space that no user could ask for. */
const nameOf = (said: string, fallback: string | undefined) =>
  (said.trim() || fallback?.trim() || "Unknown")
    .slice(0, LONGEST_NAME)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim()

/** What the simulator says, else what the user said, else "Unknown". */
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
