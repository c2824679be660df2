/** Times that a file gives without a zone. */

/** Whether this is the name of a zone that the machine knows. */
export const isTimeZone = (zone: string): boolean => {
  try {
    Intl.DateTimeFormat("en", { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** How far the zone's clocks are ahead of UTC at an instant, s. */
const offsetAt = (epochSeconds: number, zone: string): number => {
  const parts = Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  }).formatToParts(epochSeconds * 1000)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"))
  return local / 1000 - Math.floor(epochSeconds)
}

/**
 * Epoch seconds of a local time, which may have fractions of a second; undefined if there is no such date. `month`: 1 to
 * 12. A time that the zone's clocks skip or repeat is one of the two that could be meant.
 */
export const localTime = (
  [year, month, day]: readonly [number, number, number],
  [hour, minute, second]: readonly [number, number, number],
  zone: string
): number | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute))
  const isDate =
    year >= 1970 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24
  if (!isDate || !(second < 61)) return undefined
  const asUtc = date.getTime() / 1000 + second
  const first = asUtc - offsetAt(asUtc, zone)
  return asUtc - offsetAt(first, zone)
}

/** A date and time without a zone. */
const LOCAL = /^\d{4}-.*:\d\d(?:\.\d+)?$/

/** What is to be added to the dates of a table, s, if they have no zone. `first`: one of them; `asUtc`: its epoch seconds in UTC. */
export const zoneOffset = (first: string, asUtc: number, zone: string): number => {
  if (!LOCAL.test(first.trim())) return 0
  const date = new Date(asUtc * 1000)
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const
  const local = localTime(day, [date.getUTCHours(), date.getUTCMinutes(), 0], zone)
  return local === undefined ? 0 : local - Math.floor(asUtc / 60) * 60
}
