/** What sessions are called by: many simulators tell no circuit, vehicle or driver, and what they do not tell says nothing. */
import type { Session } from "./types.ts"

/** What the service has for a name that its simulator did not tell. */
const UNTOLD: ReadonlySet<string> = new Set(["", "Unknown"])

export const isTold = (name: string): boolean => !UNTOLD.has(name)

/** A name among others of its kind. */
export const nameText = (name: string): string => (isTold(name) ? name : "not told")

/** Those that are told. */
export const told = (...names: ReadonlyArray<string>): ReadonlyArray<string> => names.filter(isTold)

/** What a page about a session is headed by. */
export const headingOf = ({ circuit, id }: Session): string => (isTold(circuit) ? circuit : `Session ${id}`)

/** Whose a session is. */
export const driverOf = ({ driver, id }: Session): string => (isTold(driver) ? driver : `Session ${id}`)

/** One of several sessions, of which no other has the same name. */
export const nameOf = ({ circuit, driver, id, vehicle }: Session): string => {
  const names = told(driver, vehicle, circuit)
  return names.length === 0 ? `Session ${id}` : `${names.join(" · ")} (${id})`
}
