/**
 * Units, time zone and language of numbers in this browser, which remembers them. They are signals, so a page that shows such a
 * value is drawn again when they change. The address of an overlay may replace them (`prefer`).
 */
import { computed, signal } from "@preact/signals"
import { kept } from "./kept.ts"

export const SPEED_UNITS = ["km/h", "mph"] as const
export const TEMPERATURE_UNITS = ["°C", "°F"] as const
type SpeedUnit = (typeof SPEED_UNITS)[number]
type TemperatureUnit = (typeof TEMPERATURE_UNITS)[number]

export interface Settings {
  readonly speed: SpeedUnit
  readonly temperature: TemperatureUnit
  /** A name of the IANA database; "" is the system's zone. */
  readonly zone: string
  /** The language of numbers, as in BCP 47. The pages themselves are in English. */
  readonly language: string
}

const KEY = "settings"
const usual: Settings = { speed: "km/h", temperature: "°C", zone: "", language: "en" }

/** Whether the browser knows the name; for an unknown one it throws a RangeError. */
const isKnown = (make: () => unknown): boolean => {
  try {
    make()
    return true
  } catch {
    return false
  }
}

const isZone = (zone: string): boolean =>
  zone === "" || isKnown(() => new Intl.DateTimeFormat("en", { timeZone: zone }))

const isLanguage = (language: string): boolean => isKnown(() => new Intl.NumberFormat(language))

const object = (text: string | null): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text ?? "{}")
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Validates the stored text, which another version or a user may have written. */
const read = (text: string | null): Settings => {
  const { language, speed, temperature, zone } = object(text)
  return {
    speed: SPEED_UNITS.find((unit) => unit === speed) ?? usual.speed,
    temperature: TEMPERATURE_UNITS.find((unit) => unit === temperature) ?? usual.temperature,
    zone: typeof zone === "string" && isZone(zone) ? zone : usual.zone,
    language:
      typeof language === "string" && language !== "" && isLanguage(language) ? language : usual.language
  }
}

export const settings = signal<Settings>(read(kept.get(KEY)))

/** For this document only: the settings of an overlay's address. */
export const prefer = (changes: Partial<Settings>) => {
  settings.value = { ...settings.value, ...changes }
}

export const choose = (changes: Partial<Settings>) => {
  prefer(changes)
  kept.set(KEY, JSON.stringify(settings.value))
}

// Another tab of this browser has changed the settings.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === KEY) settings.value = read(newValue)
})

const KMH_PER_MPH = 1.609344

/** A speed in km/h, converted to the chosen unit. */
export const speedFrom = (kmh: number): number => (settings.value.speed === "mph" ? kmh / KMH_PER_MPH : kmh)

/** A temperature in °C, converted to the chosen unit. */
export const temperatureFrom = (celsius: number): number =>
  settings.value.temperature === "°F" ? celsius * 1.8 + 32 : celsius

export const speedUnit = computed(() => settings.value.speed)
export const temperatureUnit = computed(() => settings.value.temperature)

/** How values of a channel in `unit` are shown: the unit's text and the conversion. */
export interface Shown {
  readonly unit: string
  readonly from: (value: number) => number
}

const same = (value: number) => value

/** For a channel's unit: speeds and temperatures in the chosen unit, everything else unchanged. */
export const shownIn = (unit: string): Shown => {
  if (unit === "km/h") return { unit: speedUnit.value, from: speedFrom }
  if (unit === "°C") return { unit: temperatureUnit.value, from: temperatureFrom }
  return { unit, from: same }
}

const separators = computed(() => {
  const parts = new Intl.NumberFormat(settings.value.language).formatToParts(1_234_567.8)
  return { decimal: parts.find(({ type }) => type === "decimal")?.value ?? "." }
})

/** A number written with a decimal point, in the notation of the language. */
export const inLanguage = (text: string): string => {
  const { decimal } = separators.value
  return decimal === "." ? text : text.replace(".", decimal)
}

const counts = computed(() => new Intl.NumberFormat(settings.value.language))

/** Two compared speeds share their unit. */
const SPEEDS = /(?:(\d+(?:\.\d+)?) against )?(\d+(?:\.\d+)?) km\/h/g

const converted = (kmh: string): string => speedFrom(Number(kmh)).toFixed(kmh.split(".")[1]?.length ?? 0)

/** A sentence of the service, which has speeds in km/h and numbers with decimal points. */
export const asShown = (sentence: string): string => {
  const inUnits =
    speedUnit.value === "km/h"
      ? sentence
      : sentence.replace(
          SPEEDS,
          (_all, one: string | undefined, other: string) =>
            `${one === undefined ? "" : `${converted(one)} against `}${converted(other)} ${speedUnit.value}`
        )
  return inUnits.replace(/\d\.\d/g, inLanguage)
}

/** A whole number with separated thousands. */
export const grouped = (value: number): string => counts.value.format(value)

/** The zone's name for headings. */
export const zoneName = computed(
  () => settings.value.zone || new Intl.DateTimeFormat().resolvedOptions().timeZone
)

const dates = computed(
  () =>
    // Swedish dates are those of ISO 8601, no matter the numbers' language.
    new Intl.DateTimeFormat("sv-SE", {
      timeZone: settings.value.zone || undefined,
      dateStyle: "short",
      timeStyle: "short"
    })
)

/** A date-time of the service, which is UTC without saying so: `2026-02-13 07:05` in the chosen zone. */
export const inZone = (text: string): string => dates.value.format(new Date(`${text}Z`))
