/**
 * The session's text of an `.ibt` file. It looks like YAML, and is none: values may begin with `*` and contain `: `. So
 * single keys are read line by line.
 */

/** The value of the first line that has the key, without quotation marks; undefined if there is none, or it is empty. */
const valueOf = (text: string, key: string): string | undefined => {
  const found = new RegExp(`^[ \\t-]*${key}:[ \\t]*(.*?)[ \\t\\r]*$`, "m").exec(text)
  const value = found?.[1]?.replace(/^"(.*)"$/, "$1")
  return value === "" ? undefined : value
}

const numberOf = (text: string, key: string): number | undefined => {
  const value = Number.parseFloat(valueOf(text, key) ?? "")
  return Number.isFinite(value) ? value : undefined
}

export interface SessionText {
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  /** m; undefined if it is not given. */
  readonly length: number | undefined
  /** Where sectors begin, as fractions of the lap, without the first at 0. */
  readonly sectors: ReadonlyArray<number>
  /** The kind of each session, by its number in the file. */
  readonly kinds: ReadonlyMap<number, string>
  readonly facts: Readonly<Record<string, number>>
}

/** The player's entry below `Drivers:`; `CarIdx` stands in the results, too. */
const playerIn = (text: string): string => {
  const index = valueOf(text, "DriverCarIdx")
  const from = text.search(/^[ \t]*Drivers:/m)
  if (index === undefined || from < 0) return ""
  const entries = text
    .slice(from)
    .split(/^[ \t]*- CarIdx:[ \t]*/m)
    .slice(1)
  return entries.find((entry) => /^-?\d+/.exec(entry)?.[0] === index) ?? ""
}

const KM = /([\d.]+)\s*(km|mi|m)\b/i
const METRES: Readonly<Record<string, number>> = { km: 1000, mi: 1609.344, m: 1 }

const lengthIn = (text: string): number | undefined => {
  const [, value, unit = ""] = KM.exec(valueOf(text, "TrackLength") ?? "") ?? []
  const metres = Number(value) * METRES[unit.toLowerCase()]!
  return metres > 0 ? metres : undefined
}

const sectorsIn = (text: string): ReadonlyArray<number> => {
  const from = text.search(/^[ \t]*SplitTimeInfo:/m)
  if (from < 0) return []
  return [...text.slice(from).matchAll(/^[ \t-]*SectorStartPct:[ \t]*([\d.]+)/gm)]
    .map(([, value]) => Number(value))
    .filter((fraction) => fraction > 0 && fraction < 1)
    .toSorted((a, b) => a - b)
}

const kindsIn = (text: string): ReadonlyMap<number, string> =>
  new Map(
    [
      ...text.matchAll(/^[ \t]*- SessionNum:[ \t]*(\d+)[\s\S]*?^[ \t]*SessionType:[ \t]*(.*?)[ \t\r]*$/gm)
    ].map(([, number, kind = ""]) => [Number(number), kind] as const)
  )

export const readSessionText = (text: string): SessionText => {
  const player = playerIn(text)
  const [name, config] = [valueOf(text, "TrackDisplayName"), valueOf(text, "TrackConfigName")]
  const facts = {
    rpm_max: numberOf(text, "DriverCarRedLine"),
    rpm_idle: numberOf(text, "DriverCarIdleRPM"),
    fuel_capacity: numberOf(text, "DriverCarFuelMaxLtr"),
    gears: numberOf(text, "DriverCarGearNumForward"),
    pit_speed_limit: numberOf(text, "TrackPitSpeedLimit")
  }
  return {
    circuit: [name ?? "", ...(config === undefined ? [] : [config])]
      .filter((part) => part !== "")
      .join(" - "),
    vehicle: valueOf(player, "CarScreenName") ?? "",
    driver: valueOf(player, "UserName") ?? "",
    length: lengthIn(text),
    sectors: sectorsIn(text),
    kinds: kindsIn(text),
    facts: Object.fromEntries(
      Object.entries(facts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
    )
  }
}
