/**
 * Names of sessions. Many simulators report no circuit, vehicle or driver; such names are left out. Names that are written from
 * right to left are isolated, so that the text beside them keeps its order.
 */
import { signal } from "@preact/signals"
import type { Session } from "./types.ts"

/** The service's placeholders for names that a simulator did not report. */
const UNREPORTED: ReadonlySet<string> = new Set(["", "Unknown"])

export const isReported = (name: string): boolean => !UNREPORTED.has(name)

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** Unicode's first strong isolate, and its end: the text between has its own direction. */
const [ISOLATE, END] = ["\u2068", "\u2069"]

const inIsolation = (name: string): string => (RIGHT_TO_LEFT.test(name) ? ISOLATE + name + END : name)

/** Readable names by raw ones in lower case, once they are loaded. */
export const readable = signal<ReadonlyMap<string, string>>(new Map())

/** Some games report a circuit with its layout: "folder - layout", "folder:layout". */
const WITH_LAYOUT = /^(.+?)(?: - |:)(.+)$/

const known = (name: string) => readable.value.get(name.toLowerCase())

const readableOf = (raw: string): string => {
  const whole = known(raw)
  if (whole !== undefined) return whole
  const [, folder = "", layout = ""] = WITH_LAYOUT.exec(raw) ?? []
  const part = known(folder)
  return part === undefined ? raw : `${part} (${layout.replaceAll("_", " ")})`
}

const isolated = (name: string): string => inIsolation(readableOf(name))

/** A name among others of its kind. */
export const nameText = (name: string): string => (isReported(name) ? isolated(name) : "not reported")

/** Those that are reported. */
export const reported = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter(isReported).map(isolated)

/** The heading of a page about a session. */
export const headingOf = ({ circuit, id }: Session): string =>
  isReported(circuit) ? isolated(circuit) : `Session ${id}`

/** The session's driver, or its number if no driver is reported. */
export const driverOf = ({ driver, id }: Session): string =>
  isReported(driver) ? isolated(driver) : `Session ${id}`

/** A name that no other of these sessions has. */
export const nameOf = ({ circuit, driver, id, vehicle }: Session): string => {
  const names = reported(driver, vehicle, circuit)
  return names.length === 0 ? `Session ${id}` : `${names.join(" · ")} (${id})`
}
