/** What sessions are called by: many simulators tell no circuit, vehicle or driver, and what they do not tell says nothing. */
import type { Session } from "./types.ts"

/** What the service has for a name that its simulator did not tell. */
const UNREPORTED: ReadonlySet<string> = new Set(["", "Unknown"])

export const isReported = (name: string): boolean => !UNREPORTED.has(name)

/** A name among others of its kind. */
export const nameText = (name: string): string => (isReported(name) ? name : "not reported")

/** Those that are reported. */
export const reported = (...names: ReadonlyArray<string>): ReadonlyArray<string> => names.filter(isReported)

/** What a page about a session is headed by. */
export const headingOf = ({ circuit, id }: Session): string =>
  isReported(circuit) ? circuit : `Session ${id}`

/** Whose a session is. */
export const driverOf = ({ driver, id }: Session): string => (isReported(driver) ? driver : `Session ${id}`)

/** One of several sessions, of which no other has the same name. */
export const nameOf = ({ circuit, driver, id, vehicle }: Session): string => {
  const names = reported(driver, vehicle, circuit)
  return names.length === 0 ? `Session ${id}` : `${names.join(" · ")} (${id})`
}
