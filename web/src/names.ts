/** Names of sessions. Many simulators report no circuit, vehicle or driver; such names are left out. */
import type { Session } from "./types.ts"

/** The service's placeholders for names that a simulator did not report. */
const UNREPORTED: ReadonlySet<string> = new Set(["", "Unknown"])

export const isReported = (name: string): boolean => !UNREPORTED.has(name)

/** A name among others of its kind. */
export const nameText = (name: string): string => (isReported(name) ? name : "not reported")

/** Those that are reported. */
export const reported = (...names: ReadonlyArray<string>): ReadonlyArray<string> => names.filter(isReported)

/** The heading of a page about a session. */
export const headingOf = ({ circuit, id }: Session): string =>
  isReported(circuit) ? circuit : `Session ${id}`

/** The session's driver, or its number if no driver is reported. */
export const driverOf = ({ driver, id }: Session): string => (isReported(driver) ? driver : `Session ${id}`)

/** A name that no other of these sessions has. */
export const nameOf = ({ circuit, driver, id, vehicle }: Session): string => {
  const names = reported(driver, vehicle, circuit)
  return names.length === 0 ? `Session ${id}` : `${names.join(" · ")} (${id})`
}
