/** Numbers in the notation of motor racing, and in the language, units and time zone that this browser has chosen. */
import { grouped, inLanguage, inZone, speedFrom } from "./settings.ts"

const MINUS = "\u2212"
export const NOTHING = "–"

/** 104.52 is 1:44.520; null is a dash. */
export const lapTime = (seconds: number | null | undefined, digits = 3): string => {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NOTHING
  // Rounded before it is cut into minutes, or 59.9996 would be 0:60.000.
  const scale = 10 ** digits
  const whole = Math.round(Math.abs(seconds) * scale) / scale
  const minutes = Math.floor(whole / 60)
  const rest = (whole - minutes * 60).toFixed(digits)
  const text = minutes === 0 ? rest : `${minutes}:${rest.padStart(digits === 0 ? 2 : digits + 3, "0")}`
  return inLanguage(seconds < 0 ? MINUS + text : text)
}

/** Always with a sign: +0.123 is slower. */
export const delta = (seconds: number | null | undefined, digits = 3): string => {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NOTHING
  const text = Math.abs(seconds).toFixed(digits)
  return inLanguage(Number(text) === 0 ? text : (seconds < 0 ? MINUS : "+") + text)
}

export const fixed = (value: number | null | undefined, digits = 0): string => {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOTHING
  const text = value.toFixed(digits)
  // A number that rounds to zero has no sign.
  return inLanguage(text.replace("-", Number(text) === 0 ? "" : MINUS))
}

/** With exactly its own digits: for marks of an axis, and for numbers that the service has rounded. */
export const plain = (value: number): string => inLanguage(String(value).replace("-", MINUS))

/** A speed in km/h, in the chosen unit; the unit stands next to it (`speedUnit`). */
export const speed = (kmh: number | null | undefined, digits = 0): string =>
  fixed(kmh === null || kmh === undefined ? kmh : speedFrom(kmh), digits)

export const percent = (share: number | null | undefined, digits = 0): string =>
  share === null || share === undefined ? NOTHING : `${fixed(share * 100, digits)} %`

export const count = (value: number): string => grouped(value)

/** A distance: 1,783 m. */
export const metres = (value: number): string => `${count(Math.round(value))} m`

/** "1 lap", "2 laps". */
export const counted = (value: number, one: string): string =>
  `${count(value)} ${one}${value === 1 ? "" : "s"}`

/** 3725 s is 1 h 2 min. */
export const duration = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${Math.round(seconds)} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `2026-02-13 07:05`, in the chosen zone; headings name the zone (`zoneName`). */
export const dateTime = (text: string): string => inZone(text)

export const gearName = (gear: number | null | undefined): string =>
  gear === null || gear === undefined || !Number.isFinite(gear)
    ? NOTHING
    : gear < 0
      ? "R"
      : gear === 0
        ? "N"
        : String(gear)

/** A share in percent without the percent sign, for gauges and tables. */
export const percents = (share: number | null | undefined): string =>
  share === null || share === undefined ? NOTHING : fixed(Math.round(share * 100))

/** Neither a loss nor a gain if unknown, or if it is written as zero. */
export const deltaClass = (seconds: number | null | undefined, digits = 3): "" | "loss" | "gain" => {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return ""
  if (Number(Math.abs(seconds).toFixed(digits)) === 0) return ""
  return seconds > 0 ? "loss" : "gain"
}
