/** Summaries of a lap's channels, as columns of the table of laps. */
import { fixed, NOTHING, speed } from "../../format.ts"
import { shownIn, speedUnit, temperatureFrom, temperatureUnit } from "../../settings.ts"
import type { Channel, ChannelStatistics } from "../../types.ts"

type Statistics = ReadonlyMap<string, ChannelStatistics>

export interface LapColumn {
  readonly head: string
  readonly text: (of: Statistics) => string
}

type Part = "min" | "max" | "mean" | "first" | "last" | "change" | "fall"

const part = (of: Statistics, name: string, which: Part) => of.get(name)?.[which] ?? null

const WHEELS = ["fl", "fr", "rl", "rr"] as const

const degrees = (value: number | null) => (value === null ? NOTHING : fixed(temperatureFrom(value)))

const peak = (name: string, head: string): LapColumn => ({
  head: `${head} ${temperatureUnit.value}`,
  text: (of) => degrees(part(of, name, "max"))
})

const perWheel = (title: string, make: (wheel: string, head: string) => LapColumn) =>
  WHEELS.map((wheel) => make(wheel, `${title} ${wheel.toUpperCase()}`))

/** Consumption, also of a tank that was refilled meanwhile. */
const used = (name: string, unit: string, digits: number): LapColumn => ({
  head: `Used ${unit}`,
  text: (of) => fixed(part(of, name, "fall"), digits)
})

const left = (name: string, unit: string, digits: number): LapColumn => ({
  head: `Left ${unit}`,
  text: (of) => fixed(part(of, name, "last"), digits)
})

const inPercent = (value: number | null, digits: number) => fixed(value === null ? null : value * 100, digits)

interface Table {
  readonly title: string
  /** Channels that the table needs; it exists if the session has one of them. */
  readonly of: ReadonlyArray<string>
  readonly columns: (name: string) => ReadonlyArray<LapColumn>
}

const FUEL_UNITS: Readonly<Record<string, string>> = { fuel: "l", fuel_mass: "kg" }

/** The tables, by their names in the address. */
export const tables: Readonly<Record<string, Table>> = {
  fuel: {
    title: "Fuel used",
    of: ["fuel", "fuel_mass"],
    columns: (name) => [used(name, FUEL_UNITS[name]!, 2), left(name, FUEL_UNITS[name]!, 1)]
  },
  wear: {
    title: "Tyre wear",
    of: ["tyre_wear_fl"],
    columns: () =>
      perWheel("Worn %", (wheel, head) => ({
        head,
        text: (of) => inPercent(part(of, `tyre_wear_${wheel}`, "change"), 2)
      }))
  },
  tyres: {
    title: "Peak tyre temperatures",
    of: ["tyre_temperature_fl", "tyre_surface_temperature_fl"],
    columns: (name) => perWheel("", (wheel, head) => peak(name.replace(/fl$/, wheel), head.trim()))
  },
  brakes: {
    title: "Peak brake temperatures",
    of: ["brake_temperature_fl"],
    columns: () => perWheel("", (wheel, head) => peak(`brake_temperature_${wheel}`, head.trim()))
  },
  engine: {
    title: "Engine",
    of: ["water_temperature", "oil_temperature", "engine_temperature"],
    columns: () => [
      peak("water_temperature", "Water"),
      peak("oil_temperature", "Oil"),
      { head: "Peak rpm", text: (of) => fixed(part(of, "rpm", "max")) }
    ]
  },
  speed: {
    title: "Speeds",
    of: ["speed"],
    columns: () => [
      { head: `Top ${speedUnit.value}`, text: (of) => speed(part(of, "speed", "max"), 1) },
      { head: `Mean ${speedUnit.value}`, text: (of) => speed(part(of, "speed", "mean"), 1) },
      { head: `Least ${speedUnit.value}`, text: (of) => speed(part(of, "speed", "min"), 1) }
    ]
  }
}

const digitsOf = (value: number) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
const shortened = (value: number) => fixed(value, digitsOf(value))

/** All figures of one channel. A change is a difference, so temperatures convert without their zero. */
const ofChannel = ({ name, unit }: Channel): ReadonlyArray<LapColumn> => {
  const shown = shownIn(unit)
  const at0 = shown.from(0)
  const column = (head: string, which: Part): LapColumn => ({
    head: `${head} ${shown.unit}`.trim(),
    text: (of) => {
      const value = part(of, name, which)
      if (value === null) return NOTHING
      return shortened(which === "change" ? shown.from(value) - at0 : shown.from(value))
    }
  })
  return [column("Min", "min"), column("Mean", "mean"), column("Max", "max"), column("Change", "change")]
}

/** The wanted columns: of a named table, else of a channel; undefined if the session has none of them. */
export const columnsOf = (
  table: string,
  channel: string,
  dictionary: ReadonlyArray<Channel>
): ReadonlyArray<LapColumn> | undefined => {
  const has = (name: string) => dictionary.some((one) => one.name === name)
  const wanted = tables[table]
  const first = wanted?.of.find(has)
  if (wanted !== undefined) return first === undefined ? undefined : wanted.columns(first)
  const described = dictionary.find(({ name }) => name === channel)
  return described && ofChannel(described)
}
