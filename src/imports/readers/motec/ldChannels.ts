/** The channels of a MoTeC log. The names of MoTeC's own logs, of ACC and of Assetto Corsa's ACTI are known. */
import { ours, OwnNames, withAlias } from "../../tables/importedChannels.ts"
import { uncheckedSign } from "../../tables/SignCheck.ts"
import { conversion } from "../../tables/units.ts"
import type { SourceFile } from "../../FileReader.ts"
import type { Samples, SampledSource } from "../../tables/SampledLog.ts"
import { signsOf } from "../../tables/signsOfSamples.ts"
import { type LdChannel, readSamples } from "./ldFile.ts"

type Convert = (value: number) => number

/** A game's names, by channels of the vocabulary. `%` is replaced by each wheel. */
interface Flavour {
  /** Channels that only this flavour has. */
  readonly tell: ReadonlyArray<string>
  readonly wheels: readonly [fl: string, fr: string, rl: string, rr: string]
  readonly names: Readonly<Record<string, string>>
}

const acc: Flavour = {
  tell: ["STEERANGLE", "G_LAT"],
  wheels: ["LF", "RF", "LR", "RR"],
  names: {
    SPEED: "speed",
    THROTTLE: "throttle",
    BRAKE: "brake",
    CLUTCH: "clutch",
    RPMS: "rpm",
    GEAR: "gear",
    STEERANGLE: "steering_angle",
    G_LAT: "g_lateral",
    G_LON: "g_longitudinal",
    "TYRE_PRESS_%": "tyre_pressure_%",
    "TYRE_TAIR_%": "tyre_air_temperature_%",
    "BRAKE_TEMP_%": "brake_temperature_%",
    "SUS_TRAVEL_%": "suspension_travel_%",
    "WHEEL_SPEED_%": "wheel_speed_%"
  }
}

const acti: Flavour = {
  tell: ["Car Coord X", "Car Coord Y"],
  wheels: ["FL", "FR", "RL", "RR"],
  names: {
    "Car Coord X": "position_x",
    "Car Coord Y": "position_y",
    "Car Coord Z": "position_z",
    "CG Accel Lateral": "g_lateral",
    "CG Accel Longitudinal": "g_longitudinal",
    "CG Accel Vertical": "g_vertical",
    "Chassis Yaw Rate": "yaw_rate",
    "Car Pos Norm": "lap_fraction",
    "Tire Temp Core %": "tyre_temperature_%",
    "Tire Pressure %": "tyre_pressure_%"
  }
}

/** Names that MoTeC's users write in several ways. */
const spellings: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/^Tyre Temp (FL|FR|RL|RR) Center$/i, "tyre_middle_temperature"],
  // Names of M1 devices.
  [/^Throttle Pedal$/i, "throttle"],
  [/^Engine Speed$/i, "rpm"],
  [/^Corr Speed$/i, "speed"],
  [/^Steering Angle$/i, "steering_angle"],
  [/^Engine Oil Pressure$/i, "oil_pressure"],
  [/^Engine Oil Temperature$/i, "oil_temperature"],
  [/^Coolant Temperature$/i, "water_temperature"],
  [/^Fuel Pressure$/i, "fuel_pressure"]
]

/** It is of an axle, and no wheel's; or it is no speed of the car. */
const NONE = /^(Drive Speed|Brake Pres (Front|Rear))$/i

const ends = ["fl", "fr", "rl", "rr"] as const

const flavourOf = (channels: ReadonlyArray<LdChannel>): ReadonlyMap<string, string> => {
  const has = (name: string) => channels.some((channel) => channel.name === name)
  const flavour = [acc, acti].find(({ tell }) => tell.every(has))
  if (flavour === undefined) return new Map()
  return new Map(
    Object.entries(flavour.names).flatMap(([theirs, name]) =>
      theirs.includes("%")
        ? ends.map((end, n) => [theirs.replace("%", flavour.wheels[n]!), name.replace("%", end)] as const)
        : [[theirs, name] as const]
    )
  )
}

const named = (name: string, flavour: ReadonlyMap<string, string>) => {
  const own = flavour.get(name)
  if (own !== undefined) return ours(own)
  if (NONE.test(name)) return undefined
  const spelled = spellings.find(([pattern]) => pattern.test(name))
  if (spelled === undefined) return withAlias(name)
  const [, wheel] = spelled[0].exec(name)!
  return ours(wheel === undefined ? spelled[1] : `${spelled[1]}_${wheel.toLowerCase()}`)
}

/** Channels whose sign a log with positions or a heading shows. */
const SIDEWAYS = new Set(["g_lateral", "yaw_rate", "steering_angle"])

const same: Convert = (value) => value

const rateName = (rate: number) => `${Number(rate.toFixed(3))}`.replace(".", "_")

export interface LdChannels {
  readonly sources: ReadonlyArray<SampledSource>
  readonly warnings: ReadonlyArray<string>
}

/** Coordinates are degrees even if the log gives no unit. */
const unitOf = ({ unit }: LdChannel, channel: string) =>
  unit === "" && (channel === "latitude" || channel === "longitude") ? "deg" : unit

/** The samples of a channel. `convert`: to the vocabulary's unit; rounded to 32 bits where the log's value was. */
const samplesOf = (file: SourceFile, from: LdChannel, convert?: Convert): Samples => {
  const { count, rate, stored } = from
  const isSingle = stored === "f32" || stored === "f16"
  const isSame = convert === undefined || (convert(1) === 1 && convert(2) === 2)
  return {
    rate,
    count,
    samples: (begin, end) => {
      const values = readSamples(file, from, begin, end)
      if (isSame) return values
      return values.map((value) => (isSingle ? Math.fround(convert(value)) : convert(value)))
    }
  }
}

/** The channels that names and units of the log mean. */
const meantIn = (file: SourceFile, channels: ReadonlyArray<LdChannel>) => {
  const flavour = flavourOf(channels)
  return channels.flatMap((from) => {
    const known = named(from.name, flavour)
    if (known === undefined) return []
    const unit = unitOf(from, known.name)
    const convert = conversion(unit, known.unit) ?? (known.unit === "" && unit === "" ? same : undefined)
    return convert === undefined
      ? []
      : [{ meant: known.name, from, known, convert, ...samplesOf(file, from, convert) }]
  })
}

export const ldChannels = async (
  file: SourceFile,
  channels: ReadonlyArray<LdChannel>
): Promise<LdChannels> => {
  const meant = new Map(meantIn(file, channels).map((one) => [one.from, one]))
  const signOf = await signsOf([...meant.values()])
  const names = new OwnNames("motec")
  const sources: Array<SampledSource> = []
  for (const from of channels) {
    const { name, rate, stored, unit } = from
    const one = meant.get(from)
    const sign = one && signOf(one)
    if (one !== undefined && sign !== 0 && names.take(one.known.name)) {
      const { convert, known } = one
      const isUnchecked = SIDEWAYS.has(known.name) && sign === undefined
      const channel = isUnchecked ? { ...known, description: uncheckedSign(name) } : known
      sources.push({
        channel,
        ...samplesOf(file, from, sign === -1 ? (value) => -convert(value) : convert)
      })
      continue
    }
    const isStep = stored.startsWith("i") && unit === "" && from.divisor === 1
    const shown = { name, unit, kind: isStep ? ("step" as const) : ("continuous" as const), rate }
    const own = names.own(shown, `motec_${rateName(rate)}hz`)
    if (own !== undefined) sources.push({ channel: own, ...samplesOf(file, from) })
  }
  return { sources, warnings: names.warnings }
}
