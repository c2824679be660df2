/**
 * In what units, time zone and language of numbers this browser shows things. It remembers what was chosen; a page that
 * shows such a value is drawn again when the choice changes, because the values are signals. An overlay may be reported by its
 * address instead (`prefer`).
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
  /** A name of the IANA database; "" is the system's. */
  readonly zone: string
  /** Whose numbers, as BCP 47 names it. The pages themselves are in English. */
  readonly language: string
}

const KEY = "settings"
const usual: Settings = { speed: "km/h", temperature: "°C", zone: "", language: "en" }

/** Whether the browser makes something of it; of what it does not know it throws a RangeError. */
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

/** What another version or a hand has written there is not relied on. */
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

/** For this document only: what an overlay's address says. */
export const prefer = (changes: Partial<Settings>) => {
  settings.value = { ...settings.value, ...changes }
}

export const choose = (changes: Partial<Settings>) => {
  prefer(changes)
  kept.set(KEY, JSON.stringify(settings.value))
}

// Another tab of this browser has chosen.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === KEY) settings.value = read(newValue)
})

const KMH_PER_MPH = 1.609344

/** A speed in km/h, in the unit chosen. */
export const speedFrom = (kmh: number): number => (settings.value.speed === "mph" ? kmh / KMH_PER_MPH : kmh)

/** A temperature in °C, in the unit chosen. */
export const temperatureFrom = (celsius: number): number =>
  settings.value.temperature === "°F" ? celsius * 1.8 + 32 : celsius

export const speedUnit = computed(() => settings.value.speed)
export const temperatureUnit = computed(() => settings.value.temperature)

/** How a channel's values are shown that are in `unit`: what to write of it, and of its values. */
export interface Shown {
  readonly unit: string
  readonly from: (value: number) => number
}

const same = (value: number) => value

/** Of a channel's unit: speeds and temperatures in the unit chosen, everything else as it is. */
export const shownIn = (unit: string): Shown => {
  if (unit === "km/h") return { unit: speedUnit.value, from: speedFrom }
  if (unit === "°C") return { unit: temperatureUnit.value, from: temperatureFrom }
  return { unit, from: same }
}

const separators = computed(() => {
  const parts = new Intl.NumberFormat(settings.value.language).formatToParts(1_234_567.8)
  return { decimal: parts.find(({ type }) => type === "decimal")?.value ?? "." }
})

/** A number that was written with a point, as the language writes it. */
export const inLanguage = (text: string): string => {
  const { decimal } = separators.value
  return decimal === "." ? text : text.replace(".", decimal)
}

const counts = computed(() => new Intl.NumberFormat(settings.value.language))

/** Two speeds that are held against each other have their unit once. */
const SPEEDS = /(?:(\d+(?:\.\d+)?) against )?(\d+(?:\.\d+)?) km\/h/g

const converted = (kmh: string): string => speedFrom(Number(kmh)).toFixed(kmh.split(".")[1]?.length ?? 0)

/** A sentence of the service, which has speeds in km/h, and numbers with points. */
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

/** A whole number with its thousands apart. */
export const grouped = (value: number): string => counts.value.format(value)

/** The zone's name, as a heading has it. */
export const zoneName = computed(
  () => settings.value.zone || new Intl.DateTimeFormat().resolvedOptions().timeZone
)

const dates = computed(
  () =>
    // Swedish dates are those of ISO 8601, whatever the numbers' language.
    new Intl.DateTimeFormat("sv-SE", {
      timeZone: settings.value.zone || undefined,
      dateStyle: "short",
      timeStyle: "short"
    })
)

/** A date-time of the service, which is UTC and says so nowhere: `2026-02-13 07:05` in the zone chosen. */
export const inZone = (text: string): string => dates.value.format(new Date(`${text}Z`))
