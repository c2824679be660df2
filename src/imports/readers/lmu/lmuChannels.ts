/** The channels of a Le Mans Ultimate database (formats.md, 3.3): tables at a rate, and events. */
import { POINTS } from "../../../domain/Dictionary.ts"
import { ours, OwnNames } from "../../tables/importedChannels.ts"
import type { SampledSource, Samples } from "../../tables/SampledLog.ts"
import { CHECKED_S, type Meant, signsOf } from "../../tables/signsOfSamples.ts"
import { isChecked } from "../../tables/SignCheck.ts"
import { conversion } from "../../tables/units.ts"

type Convert = (value: number) => number

/** A table with samples, or one of its four wheels; or an event. */
export interface LmuSource extends Samples {
  readonly name: string
  /** Place among the columns; undefined for a table with one. */
  readonly wheel: number | undefined
  /** As the file's lists have it; "" for none. */
  readonly unit: string
  readonly isEvent: boolean
}

const wheels = ["fl", "fr", "rl", "rr"] as const
const shownWheels = ["FL", "FR", "RL", "RR"] as const

interface Known {
  readonly channel: string
  /** The unit where the file names none. */
  readonly unit: string
  /** Applied after the conversion of the unit. */
  readonly adjust?: Convert
}

const known = (channel: string, unit: string, adjust?: Convert): Known =>
  adjust === undefined ? { channel, unit } : { channel, unit, adjust }

const rest: Convert = (share) => 1 - share

/** By the names of tables; `%` stands for the wheel. Positions of pedals are those after the game's own filter. */
const names: Readonly<Record<string, Known>> = {
  "Ground Speed": known("speed", "km/h"),
  "Engine RPM": known("rpm", "rpm"),
  "Throttle Pos": known("throttle", "%"),
  "Brake Pos": known("brake", "%"),
  "Clutch Pos": known("clutch", "%"),
  Gear: known("gear", ""),
  "G Force Lat": known("g_lateral", "g"),
  "G Force Long": known("g_longitudinal", "g"),
  "GPS Latitude": known("latitude", "deg"),
  "GPS Longitude": known("longitude", "deg"),
  "Lap Dist": known("lap_distance", "m"),
  "Total Dist": known("distance", "m"),
  "Fuel Level": known("fuel", "l"),
  "Engine Oil Temp": known("oil_temperature", "c"),
  "Engine Water Temp": known("water_temperature", "c"),
  SoC: known("ers_fraction", "%"),
  "Ambient Temperature": known("air_temperature", "c"),
  "Track Temperature": known("track_temperature", "c"),
  "Brake Bias Rear": known("brake_bias", "%", rest),
  ABS: known("abs_active", ""),
  TC: known("tc_active", ""),
  ABSLevel: known("abs_level", ""),
  TCLevel: known("tc_level", ""),
  "Speed Limiter": known("pit_limiter", ""),
  "In Pits": known("in_pit", ""),
  "Wheel Speed": known("wheel_speed_%", "m/s"),
  "Susp Pos": known("suspension_travel_%", "m"),
  RideHeights: known("ride_height_%", "m"),
  TyresPressure: known("tyre_pressure_%", "kpa"),
  TyresRubberTemp: known("tyre_surface_temperature_%", "c"),
  TyresCarcassTemp: known("tyre_temperature_%", "c"),
  TyresRimTemp: known("tyre_rim_temperature_%", "c"),
  TyresTempCentre: known("tyre_middle_temperature_%", "c"),
  "Tyres Wear": known("tyre_wear_%", "%", rest),
  "Brakes Temp": known("brake_temperature_%", "c"),
  SurfaceTypes: known("surface_%", "")
}

/** Of a left wheel the left edge is the outer one, and of a right wheel the inner one. */
const EDGES: Readonly<Record<string, readonly [left: string, right: string]>> = {
  TyresTempLeft: ["tyre_outer_edge_temperature", "tyre_inner_edge_temperature"],
  TyresTempRight: ["tyre_inner_edge_temperature", "tyre_outer_edge_temperature"]
}

/** Events that are laps, and no channels. */
const OF_LAPS = new Set(["Lap", "Lap Time", "Last Sector1", "Last Sector2"])
/** The clock. */
export const CLOCK = "GPS Time"

/** A turned wheel beyond this is in degrees and no share of its lock, %. */
const MAX_SHARE = 100
const STEERING = "Steering Pos"

const knownOf = ({ name, wheel }: LmuSource): Known | undefined => {
  const edges = EDGES[name]
  if (edges !== undefined && wheel !== undefined) {
    return known(`${edges[wheel % 2]!}_${wheels[wheel]!}`, "c")
  }
  const found = names[name]
  if (found === undefined || found.channel.includes("%") !== (wheel !== undefined)) return undefined
  return wheel === undefined ? found : { ...found, channel: found.channel.replace("%", wheels[wheel]!) }
}

/** Steering as a share of the lock, or as an angle, whatever its unit: by its values in the first twenty minutes. */
const steeringOf = async ({ count, rate, samples }: LmuSource): Promise<Known> => {
  const values = await samples(0, Math.min(count, Math.ceil(CHECKED_S * rate)))
  const isAngle = values.some((value) => Math.abs(value) > MAX_SHARE)
  return isAngle ? known("steering_angle", "deg") : known("steering", "%")
}

/** The conversion to the channel's unit; undefined if the file's unit is of another quantity. */
const convertOf = ({ adjust, unit }: Known, given: string, wanted: string): Convert | undefined => {
  // Flags, steps and revolutions come without a unit, or with one that says nothing.
  const from = wanted === "" && unit === "" ? "" : given === "" ? unit : given
  const convert = conversion(from, wanted)
  if (convert === undefined || adjust === undefined) return convert
  return (value) => adjust(convert(value))
}

const converted = ({ count, rate, samples }: Samples, convert: Convert): Samples => ({
  count,
  rate,
  samples: async (begin, end) => (await samples(begin, end)).map(convert)
})

const rateName = (rate: number) => `${Number(rate.toFixed(3))}`.replace(".", "_")

/** What a table may be; the first is what its name says. `G Force Lat` is sideways in one version, and lengthwise in another. */
const meaningsOf = (channel: string): ReadonlyArray<string> =>
  channel === "g_lateral"
    ? ["g_lateral", "g_longitudinal"]
    : channel === "g_longitudinal"
      ? ["g_longitudinal", "g_lateral"]
      : [channel]

/** A channel that a table may be. */
interface Candidate extends Meant {
  readonly source: LmuSource
  readonly channel: string
  readonly convert: Convert
  readonly isFirst: boolean
}

const candidatesOf = async (source: LmuSource): Promise<ReadonlyArray<Candidate>> => {
  const wanted = source.name === STEERING ? await steeringOf(source) : knownOf(source)
  const channel = wanted && ours(wanted.channel)
  const convert = channel && convertOf(wanted, source.name === STEERING ? "" : source.unit, channel.unit)
  if (channel === undefined || convert === undefined) return []
  return meaningsOf(channel.name).map((name, n) => ({
    ...converted(source, convert),
    source,
    channel: name,
    convert,
    isFirst: n === 0,
    // Both turn as the car does.
    meant: name === "steering" ? "steering_angle" : name
  }))
}

export interface LmuChannels {
  readonly sources: ReadonlyArray<SampledSource>
  readonly warnings: ReadonlyArray<string>
}

export const lmuChannels = async (found: ReadonlyArray<LmuSource>): Promise<LmuChannels> => {
  const candidates: Array<Candidate> = []
  for (const source of found) candidates.push(...(await candidatesOf(source)))
  const signOf = await signsOf(candidates)
  const names = new OwnNames("lmu")
  const sources: Array<SampledSource> = []
  const known = (source: LmuSource): SampledSource | undefined => {
    for (const one of candidates) {
      if (one.source !== source) continue
      const sign = signOf(one)
      // Where the file cannot show it, a table is what its own name says.
      const isBelieved = sign === undefined ? one.isFirst : sign !== 0
      if (!isBelieved || !names.take(one.channel)) continue
      const channel = ours(one.channel)!
      const isUnchecked = isChecked(one.meant) && sign === undefined
      return {
        channel: isUnchecked
          ? { ...channel, description: `"${source.name}"; its sign was not checked` }
          : channel,
        ...converted(source, sign === -1 ? (value) => -one.convert(value) : one.convert)
      }
    }
    return undefined
  }
  for (const source of found) {
    if (source.name === CLOCK || (source.isEvent && OF_LAPS.has(source.name))) continue
    const one = known(source)
    if (one !== undefined) {
      sources.push(one)
      continue
    }
    const { isEvent, name, rate, unit, wheel } = source
    const shown = wheel === undefined ? name : `${name} ${shownWheels[wheel]}`
    const own = isEvent
      ? names.own({ name: shown, unit, kind: "step" }, "lmu_events")
      : names.own({ name: shown, unit, kind: "continuous", rate }, `lmu_${rateName(rate)}hz`)
    if (own !== undefined) sources.push({ channel: own, rate, count: source.count, samples: source.samples })
  }
  return { sources, warnings: names.warnings }
}

/** The rate of an event's rows in the points, whose clock it has, and in other groups, Hz. */
export const eventRate = (name: string, clockRate: number): number =>
  ours(names[name]?.channel ?? "")?.group === POINTS ? clockRate : Math.min(clockRate, 10)
