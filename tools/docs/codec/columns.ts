/** Columns to measure the codec with: the bundled simulator's groups and points, real recordings, and packets of real games. */
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { channels } from "../../../src/domain/pointChannels.ts"
import { driveGroups, samplesOf } from "../../../simulator/model/channelGroups.ts"
import { circuitNamed } from "../../../simulator/model/Circuit.ts"
import { DrivenCar } from "../../../simulator/model/DrivenCar.ts"
import { SimulatedDrive } from "../../../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../../../simulator/model/vehicles.ts"
import { sharedFolder } from "../../../test/support/sharedData.ts"

export interface MeasuredColumn {
  readonly source: string
  /** The kind of channel. */
  readonly kind: string
  readonly name: string
  readonly values: Float64Array
}

/** Half an hour: enough for full blocks of channels at ten values a second or more. */
const DRIVEN_S = 1800
/** The epoch second of feeds that only have a clock of their own, as a service records them. */
const START = 1_763_800_000.125

/** The kind of a channel by its name; the first match counts. */
const kinds: ReadonlyArray<readonly [RegExp, string]> = [
  [/^timestamp$/, "timestamp"],
  [/^(throttle|brake|clutch)$/, "pedal"],
  [/^steering/, "steering"],
  [/^g_/, "g-force"],
  [/^suspension|^ride_height|^body_height/, "suspension"],
  [/temperature/, "temperature"],
  [/pressure/, "pressure"],
  [/^speed$/, "speed"],
  [/^wheel_(speed|rotation)/, "wheel speed"],
  [/^wheel_load/, "wheel load"],
  [/^slip/, "slip"],
  [/^(rpm|engine|power|torque|boost)/, "engine"],
  [/^position|distance$/, "position, distance"],
  [/^(velocity|yaw|pitch|roll|rotation)/, "motion"],
  [/^(fuel|tyre_wear|tyre_dirt|track_grip|wind|wetness|rain)/, "slow state"],
  [/./, "step"]
]

const column = (source: string, name: string, values: Float64Array): MeasuredColumn => ({
  source,
  name,
  kind: values.every((value) => Object.is(value, values[0]))
    ? "constant"
    : kinds.find(([pattern]) => pattern.test(name))![1],
  values
})

const simulatedCar = () =>
  new DrivenCar(new SimulatedDrive({ circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, seed: 1 }))

const withoutNaN = (values: Float64Array) => values.filter((value) => !Number.isNaN(value))

/** Holes are measured separately, so these columns leave out absent values. */
const simulatedGroups = (): ReadonlyArray<MeasuredColumn> => {
  const car = simulatedCar()
  return driveGroups.flatMap((group) => {
    const { data, length } = samplesOf(car, group, 0, DRIVEN_S * group.rate)
    return ["timestamp", ...group.channels.map(({ name }) => name)].map((name, c) => {
      const values = data.slice(c * length, (c + 1) * length)
      return column(
        "simulator, groups",
        name,
        c === 0 ? values.map((time) => time + START) : withoutNaN(values)
      )
    })
  })
}

const simulatedPoints = (): ReadonlyArray<MeasuredColumn> => {
  const { batch } = simulatedCar().drive.points(0, DRIVEN_S * 60, 60)
  return channels.map((name) =>
    column(
      "simulator, points",
      name,
      name === "timestamp" ? batch.column(name).map((time) => time + START) : batch.column(name).slice()
    )
  )
}

const linesOf = (name: string): ReadonlyArray<string> =>
  gunzipSync(readFileSync(`${sharedFolder("data")}/${name}.ndjson.gz`))
    .toString()
    .trim()
    .split("\n")

/** The ten channels of a recording in the native feed's format, and its distance if it has one. */
const recording = (name: string, source: string): ReadonlyArray<MeasuredColumn> => {
  const rows = linesOf(`recordings/${name}`)
    .map((line) => JSON.parse(line) as { type: string; points?: ReadonlyArray<Record<string, number>> })
    .flatMap(({ points, type }) => (type === "points" ? points! : []))
  return [...channels, "lap_distance"].flatMap((channel) => {
    if (rows[0]![channel] === undefined) return []
    const values = Float64Array.from(rows, (row) => row[channel]!)
    return [
      column(`${source}, recorded`, channel, channel === "timestamp" ? values.map((t) => t + START) : values)
    ]
  })
}

type Read = (packet: Buffer, offset: number) => number

/** The place of a field in a packet, and the conversion that a driver applies. */
type Field = readonly [name: string, offset: number, read?: Read | undefined]

const f32 = (packet: Buffer, offset: number) => packet.readFloatLE(offset)
const u8 = (packet: Buffer, offset: number) => packet[offset]!
const i32 = (packet: Buffer, offset: number) => packet.readInt32LE(offset)
/** Drivers round computed values to floats, except for the points' speed. */
const kmh = (packet: Buffer, offset: number) => packet.readFloatLE(offset) * 3.6
const times = (factor: number) => (packet: Buffer, offset: number) =>
  Math.fround(packet.readFloatLE(offset) * factor)
const of255 = (packet: Buffer, offset: number) => packet[offset]! / 255
const milliseconds = (packet: Buffer, offset: number) => packet.readInt32LE(offset) / 1000

const four = (name: string, offset: number, read?: Read): ReadonlyArray<Field> =>
  ["fl", "fr", "rl", "rr"].map((wheel, i) => [`${name}_${wheel}`, offset + 4 * i, read] as const)
const three = (name: string, offset: number, read?: Read): ReadonlyArray<Field> =>
  ["x", "y", "z"].map((axis, i) => [`${name}_${axis}`, offset + 4 * i, read] as const)

/** Fields as described in shared/protocols. */
const codemasters: ReadonlyArray<Field> = [
  ["session_time", 0],
  ["lap_distance", 8],
  ...three("position", 16),
  ["speed", 28, kmh],
  ...three("velocity", 32),
  ...four("suspension_travel", 68),
  ...four("suspension_velocity", 84),
  ...four("wheel_speed", 100, times(3.6)),
  ["throttle", 116],
  ["steering", 120],
  ["brake", 124],
  ["clutch", 128],
  ["gear", 132],
  ["g_lateral", 136],
  ["g_longitudinal", 140],
  ["rpm", 148, times(30 / Math.PI)],
  ["sector", 192],
  ...four("brake_temperature", 204),
  ["stage_length", 244]
]

const granTurismo: ReadonlyArray<Field> = [
  ...three("position", 0x04),
  ...three("velocity", 0x10),
  ...three("rotation", 0x2c),
  ["body_height", 0x38],
  ["rpm", 0x3c],
  ["fuel", 0x44],
  ["speed", 0x4c, kmh],
  ["boost", 0x50],
  ["oil_pressure", 0x54],
  ["water_temperature", 0x58],
  ["oil_temperature", 0x5c],
  ...four("tyre_surface_temperature", 0x60),
  ["time_of_day", 0x80, milliseconds],
  ["gear", 0x90, (packet, offset) => packet[offset]! & 15],
  ["throttle", 0x91, of255],
  ["brake", 0x92, of255],
  ...four("wheel_rotation", 0xa4),
  ...four("suspension_travel", 0xc4, times(1000)),
  ["clutch", 0xf4],
  ["steering_angle", 0x128],
  ["lap_time_so_far", 0x15c, milliseconds]
]

const assettoCorsa: ReadonlyArray<Field> = [
  ["speed", 8],
  ["abs_active", 21, u8],
  ["tc_active", 22, u8],
  ["in_pit", 24, u8],
  ["g_lateral", 28],
  ["g_vertical", 32],
  ["g_longitudinal", 36],
  ["lap_time_so_far", 40, milliseconds],
  ["laps_completed", 52, i32],
  ["throttle", 56],
  ["brake", 60],
  ["clutch", 64],
  ["rpm", 68],
  ["steering_angle", 72],
  ["gear", 76, i32],
  ...four("wheel_rotation", 84),
  ...four("slip_angle", 100),
  ...four("slip_ratio", 132),
  ...four("wheel_load", 180),
  ...four("tyre_dirt", 228),
  ...four("suspension_travel", 292, times(1000))
]

/** A capture's fields, and its arrival times at the resolution of a service: microseconds. */
const capture = (
  name: string,
  source: string,
  fields: ReadonlyArray<Field>
): ReadonlyArray<MeasuredColumn> => {
  const packets = linesOf(`captures/${name}`).map((line) => JSON.parse(line) as { t: number; hex: string })
  const bytes = packets.map(({ hex }) => Buffer.from(hex, "hex"))
  return [
    column(
      `${source}, captured`,
      "timestamp",
      Float64Array.from(packets, ({ t }) => START + t)
    ),
    ...fields.map(([channel, offset, read = f32]) =>
      column(
        `${source}, captured`,
        channel,
        Float64Array.from(bytes, (packet) => read(packet, offset))
      )
    )
  ]
}

export const measuredColumns = (): ReadonlyArray<MeasuredColumn> => [
  ...simulatedGroups(),
  ...simulatedPoints(),
  ...recording("f1-bahrain-2026-ant", "F1 Bahrain"),
  ...recording("ams2-road-america", "AMS2 Road America"),
  ...recording("ac-lime-rock", "AC Lime Rock"),
  ...recording("portland-gps", "GPS Portland"),
  ...capture("dirt-rally-2-noorinbee", "DiRT Rally 2", codemasters),
  ...capture("dirt-rally-1-stage", "DiRT Rally", codemasters),
  ...capture("gt7-spa-format-c-plain", "GT7", granTurismo),
  ...capture("assetto-corsa-monza", "AC Monza", assettoCorsa)
]
