/** The first and last instant that a date-time with a year of four digits can express, epoch seconds. */
export const EARLIEST = Date.parse("0000-01-01T00:00:00Z") / 1000
export const LATEST = Date.parse("9999-12-31T23:59:59.999Z") / 1000

/** Whether this instant, in epoch seconds, has a date-time with a year of four digits: no other can be written. */
export const isDateTime = (epochSeconds: number): boolean =>
  epochSeconds >= EARLIEST && epochSeconds <= LATEST

/** Whether a point may have this time, epoch seconds: the years 1970 to 9999 (contract, section 1). */
export const isPointTime = (epochSeconds: number): boolean => epochSeconds >= 0 && epochSeconds <= LATEST
export const LATEST_POINT = LATEST

/** Doubles that differ by less than this share of them mean the same decimal number. */
const SAME = 2 ** -50

/**
 * Epoch seconds (`isDateTime`) as the interface's date-time: `YYYY-MM-DDTHH:mm:ss[.sss]`, UTC, without offset. Rounded
 * down to the millisecond, so that a session does not begin after its first point.
 */
export const formatDateTime = (epochSeconds: number): string => {
  const millis = epochSeconds * 1000
  const nearest = Math.round(millis)
  const written = Math.abs(millis - nearest) <= Math.abs(millis) * SAME ? nearest : Math.floor(millis)
  return new Date(written).toISOString().replace(/(\.000)?Z$/, "")
}

const dateTime = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(\.\d{1,9})?)?)([Zz]|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * Epoch seconds of an ISO 8601 date-time, rounded to the nearest double, as for a timestamp with the same digits; a
 * date-time without an offset is UTC. Undefined if the text is not a date-time.
 */
export const parseDateTime = (text: string): number | undefined => {
  const parts = dateTime.exec(text.trim())
  if (parts === null) return undefined
  const [, day = "", time = "", fraction = "", offset = "Z"] = parts
  const midnight = new Date(`${day}T00:00:00Z`)
  // Date turns 30 February into a day of March; a date that comes back changed is invalid.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined
  const [, hours, minutes = "00"] = /^([+-]\d{2}):?(\d{2})?$/.exec(offset) ?? []
  const zone = hours === undefined ? "Z" : `${hours}:${minutes}`
  const millis = Date.parse(`${day}T${time}${zone}`)
  if (Number.isNaN(millis)) return undefined
  // Parsed as one decimal number: a sum would be rounded twice.
  const nanos = BigInt(Math.floor(millis / 1000)) * 1_000_000_000n + BigInt(fraction.slice(1).padEnd(9, "0"))
  const seconds = Number(`${nanos}e-9`)
  // An offset may move the year outside of four digits.
  return isDateTime(seconds) ? seconds : undefined
}

/**
 * Seconds rounded to the microsecond: epoch doubles resolve 0.24 us, so smaller differences are noise, and 93.657 stays
 * 93.657.
 */
export const toMicros = (seconds: number): number => Math.round(seconds * 1e6) / 1e6

const scratch = new DataView(new ArrayBuffer(8))

/**
 * The next double after `time`. Ranges are half open everywhere inside the service; a range that must include its last
 * instant ends here.
 */
export const justAfter = (time: number): number => {
  if (!Number.isFinite(time)) return time
  if (time === 0) return Number.MIN_VALUE
  scratch.setFloat64(0, time)
  scratch.setBigInt64(0, scratch.getBigInt64(0) + (time > 0 ? 1n : -1n))
  return scratch.getFloat64(0)
}
