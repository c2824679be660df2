/**
 * The channels of an `.ibt` file. A variable whose meaning, unit and sign are known becomes a channel of the vocabulary;
 * the others keep names of their own (`iracing_...`). Signs and gravity were measured on real files (formats.md, 3.1):
 * accelerations contain gravity, Pitch is positive nose down, sideways quantities are positive to the left.
 */
import { conversion, STANDARD_GRAVITY } from "../../tables/units.ts"
import { type ImportedChannel, ours, OwnNames, withAlias } from "../../tables/importedChannels.ts"
import type { Variable } from "./ibtFile.ts"

const DEGREES = 180 / Math.PI

/** A channel that is computed from variables of one record. `reads`: the variables, all of which the file has. */
export interface Source {
  readonly channel: ImportedChannel
  readonly reads: ReadonlyArray<Variable>
  /** The index in an array of the first variable. */
  readonly element: number
  /** From the values of the variables; undefined: the value of the first is the channel's. */
  readonly convert: ((...values: ReadonlyArray<number>) => number) | undefined
  /** The result is rounded to 32 bits, as the variables were. */
  readonly isSingle: boolean
}

type Compute = (...values: Array<number>) => number

const degrees: Compute = (rad) => rad! * DEGREES
const minusDegrees: Compute = (rad) => -(rad! * DEGREES)
const around: Compute = (rad) => (((rad! * DEGREES) % 360) + 360) % 360
const clamp = (value: number) => Math.max(-1, Math.min(1, value))

/** The channels that need more than another unit. In the order of the variables, `convert` gets their values. */
const special: ReadonlyArray<readonly [channel: string, reads: ReadonlyArray<string>, convert?: Compute]> = [
  ["throttle", ["Throttle"]],
  ["brake", ["Brake"]],
  // 1 is engaged: it is 1 while driving.
  ["clutch", ["Clutch"], (engaged) => 1 - engaged!],
  // The maximum is of one side.
  [
    "steering",
    ["SteeringWheelAngle", "SteeringWheelAngleMax"],
    (rad, most) => (most! > 0 ? clamp(-rad! / most!) : Number.NaN)
  ],
  ["steering_angle", ["SteeringWheelAngle"], minusDegrees],
  ["latitude", ["Lat"]],
  ["longitude", ["Lon"]],
  ["altitude", ["Alt"]],
  ["yaw", ["YawNorth"], around],
  ["yaw_rate", ["YawRate"], minusDegrees],
  ["pitch", ["Pitch"], minusDegrees],
  ["pitch_rate", ["PitchRate"], minusDegrees],
  ["roll", ["Roll"], degrees],
  ["roll_rate", ["RollRate"], degrees],
  [
    "g_longitudinal",
    ["LongAccel", "Pitch"],
    (a, pitch) => (a! + STANDARD_GRAVITY * Math.sin(pitch!)) / STANDARD_GRAVITY
  ],
  [
    "g_lateral",
    ["LatAccel", "Roll", "Pitch"],
    (a, roll, pitch) => -(a! - STANDARD_GRAVITY * Math.sin(roll!) * Math.cos(pitch!)) / STANDARD_GRAVITY
  ],
  [
    "g_vertical",
    ["VertAccel", "Pitch", "Roll"],
    (a, pitch, roll) => (a! - STANDARD_GRAVITY * Math.cos(pitch!) * Math.cos(roll!)) / STANDARD_GRAVITY
  ],
  ["velocity_forward", ["VelocityX"]],
  ["velocity_right", ["VelocityY"], (left) => -left!],
  ["velocity_up", ["VelocityZ"]],
  ["brake_bias", ["dcBrakeBias"], (percent) => percent! / 100],
  ["lap_fraction", ["LapDistPct"]],
  ["fuel_fraction", ["FuelLevelPct"]],
  ["engine_speed_fraction", ["ShiftIndicatorPct"]],
  ["ers_fraction", ["EnergyERSBatteryPct"]],
  ["handbrake", ["HandbrakeRaw"]],
  ["rain", ["Precipitation"]],
  // Left of a left wheel is its outer edge, left of a right wheel the inner one.
  ...(["LF", "RF", "LR", "RR"] as const).flatMap((wheel) => {
    const end = { LF: "fl", RF: "fr", LR: "rl", RR: "rr" }[wheel]
    const [outer, inner] = wheel.startsWith("L") ? ["L", "R"] : ["R", "L"]
    return [
      [`tyre_outer_edge_temperature_${end}`, [`${wheel}tempC${outer}`]],
      [`tyre_middle_temperature_${end}`, [`${wheel}tempCM`]],
      [`tyre_inner_edge_temperature_${end}`, [`${wheel}tempC${inner}`]],
      [
        `tyre_wear_${end}`,
        [`${wheel}wearL`, `${wheel}wearM`, `${wheel}wearR`],
        (left: number, middle: number, right: number) => 1 - (left + middle + right) / 3
      ]
    ] as const as ReadonlyArray<readonly [string, ReadonlyArray<string>, Compute?]>
  })
]

/** Variables that a name of the vocabulary would fit, and whose meaning it is not. */
const OTHERS = new Set(["Yaw", "TrackWetness", "Lat", "Lon", "Alt"])

/** A setting that the driver turns stays until it is turned. */
const SETTING = /^d[cp][A-Z]/

const kindOf = ({ name, type }: Variable) =>
  type === "bool" ? "flag" : type === "int" || type === "bits" || SETTING.test(name) ? "step" : "continuous"

const isSingle = (reads: ReadonlyArray<Variable>, convert: unknown) =>
  convert !== undefined && reads.every(({ type }) => type === "float")

/** The values of arrays over time are read as a group of their own; other arrays, and text, are left out. */
export interface IbtChannels {
  readonly sources: ReadonlyArray<Source>
  /** Arrays of `times` values within a record. */
  readonly fast: ReadonlyArray<{ readonly channel: ImportedChannel; readonly variable: Variable }>
  readonly warnings: ReadonlyArray<string>
}

export const ibtChannels = (variables: ReadonlyArray<Variable>, rate: number): IbtChannels => {
  const scalars = new Map(
    variables.filter(({ count, type }) => count === 1 && type !== "char").map((one) => [one.name, one])
  )
  const names = new OwnNames("iracing")
  const used = new Set<string>(["SessionTime"])
  const sources: Array<Source> = []
  const add = (channel: ImportedChannel, reads: ReadonlyArray<Variable>, convert: Source["convert"]) =>
    sources.push({ channel, reads, element: 0, convert, isSingle: isSingle(reads, convert) })
  const sessionTime = scalars.get("SessionTime")
  if (sessionTime !== undefined && names.take("session_time"))
    add(ours("session_time")!, [sessionTime], undefined)
  for (const [name, reads, convert] of special) {
    const found = reads.flatMap((one) => scalars.get(one) ?? [])
    if (found.length < reads.length || !names.take(name)) continue
    add(ours(name)!, found, convert)
    // Variables that only correct another one are channels of their own.
    used.add(reads[0]!)
    if (name.startsWith("tyre_wear")) for (const one of reads) used.add(one)
  }
  for (const variable of scalars.values()) {
    if (used.has(variable.name)) continue
    const known = OTHERS.has(variable.name) ? undefined : withAlias(variable.name)
    const convert = known === undefined ? undefined : conversion(variable.unit, known.unit)
    if (known !== undefined && convert !== undefined && names.take(known.name)) {
      add(known, [variable], convert(1) === 1 && convert(2) === 2 ? undefined : convert)
      continue
    }
    const own = names.own({ ...variable, kind: kindOf(variable), rate }, "iracing")
    if (own !== undefined) add(own, [variable], undefined)
  }
  const fast = variables
    .filter(({ count, isOverTime, type }) => isOverTime && count > 1 && type !== "char")
    .flatMap((variable) => {
      const channel = names.own(
        { ...variable, kind: kindOf(variable), rate: rate * variable.count },
        `iracing_${rate * variable.count}hz`
      )
      return channel === undefined ? [] : [{ channel, variable }]
    })
  const leftOut = variables.filter(
    ({ count, isOverTime, type }) => type === "char" || (count > 1 && !isOverTime)
  )
  return {
    sources,
    fast,
    warnings: [
      ...names.warnings,
      ...(leftOut.length === 0
        ? []
        : [`Left out, because they are texts or lists: ${leftOut.map(({ name }) => name).join(", ")}`])
    ]
  }
}
