/** The channels of a comparison: the usual ones, and any others that the sessions have. */
import { type Column, deltasOf, scaleOf } from "./deltas.ts"
import { settings, shownIn } from "../settings.ts"
import type { Channel, Comparison, Trace } from "../types.ts"

/** A channel as it is drawn, with a column for each lap. */
export interface Drawn {
  readonly name: string
  readonly label: string
  readonly height: number
  readonly columns: ReadonlyArray<Column>
  readonly range?: readonly [number, number]
  readonly stepped?: boolean
  /** There is nothing between whole numbers. */
  readonly whole?: boolean
  readonly values?: (value: number) => string
}

type Own = keyof Omit<Trace, "lap_id" | "distance" | "position_x" | "position_y" | "channels">

const PERCENT = { range: [0, 1.03], values: (value: number) => String(Math.round(value * 100)) } as const

/** The usual channels in the order drawn: the delta stands right below the speed. */
const own: Readonly<
  Partial<Record<Own, Omit<Drawn, "name" | "columns" | "label"> & { readonly label: () => string }>>
> = {
  speed: { label: () => `Speed ${shownIn("km/h").unit}`, height: 170 },
  time_delta: {
    label: () => "Seconds behind the reference (above 0: lost)",
    height: 120
  },
  throttle: { label: () => "Throttle %", height: 78, ...PERCENT },
  brake: { label: () => "Brake %", height: 78, ...PERCENT },
  gear: { label: () => "Gear", height: 70, stepped: true, whole: true },
  steering: { label: () => "Steering: left below, right above 0", height: 84 }
}

export const OWN = Object.keys(own) as ReadonlyArray<string>
const isOwn = (name: string): name is Own => name in own

/** As section 5 of the specification of channels limits a comparison. */
export const MAX_DRAWN = 32
const MAX_TRACES = 200

/** How many further channels a comparison of this many laps may request. */
export const mostAsked = (laps: number): number =>
  Math.min(MAX_DRAWN, Math.floor(MAX_TRACES / Math.max(1, laps)))

/** Names of channels to draw, and of those that the comparison must request, within the limits. */
export const within = (names: ReadonlyArray<string>, laps: number) => {
  const [most, asked] = [mostAsked(laps), names.filter((name) => !isOwn(name))]
  const kept = new Set(asked.slice(0, most))
  const drawn = names.filter((name) => isOwn(name) || kept.has(name)).slice(0, MAX_DRAWN)
  return { drawn, left: names.length - drawn.length }
}

export const isAsked = (name: string): boolean => !isOwn(name)

/** In a lap a driver presses pedals, shifts and steers, so a column of zeros was never recorded. */
const RESTING: ReadonlySet<string> = new Set(["throttle", "brake", "gear", "steering"])

const isReported = (name: string, columns: Drawn["columns"]): boolean =>
  columns.some((column) => column.some((value) => value !== null && (value !== 0 || !RESTING.has(name))))

const HEIGHT = 96

/** The column in the chosen unit: a copy if that differs. */
const converted = (column: Column, unit: string): Column => {
  const shown = shownIn(unit)
  return shown.unit === unit ? column : column.map((value) => (value === null ? null : shown.from(value)))
}

const ownColumns = (name: Own, traces: ReadonlyArray<Trace>): Drawn["columns"] => {
  if (name === "time_delta") return deltasOf(traces)
  return traces.map((trace) => converted(trace[name], name === "speed" ? "km/h" : ""))
}

const titleOf = ({ name, unit }: Channel): string => {
  const words = name.replaceAll("_", " ")
  const { unit: shown } = shownIn(unit)
  return `${words[0]!.toUpperCase()}${words.slice(1)}${shown === "" ? "" : ` ${shown}`}`
}

const drawnOwn = (name: Own, traces: ReadonlyArray<Trace>, fastestTime: number | null): Drawn => {
  const { label, ...look } = own[name]!
  const columns = ownColumns(name, traces)
  const drawn = { ...look, name, label: label(), columns }
  const range = name === "time_delta" ? scaleOf(deltasOf(traces), fastestTime) : undefined
  return range === undefined
    ? drawn
    : { ...drawn, range, label: `${drawn.label}; laps off the pace leave the scale` }
}

const drawnOther = (channel: Channel, traces: ReadonlyArray<Trace>): Drawn => {
  const stepped = channel.kind === "step" || channel.kind === "flag"
  return {
    name: channel.name,
    label: titleOf(channel),
    height: HEIGHT,
    columns: traces.map(({ channels, distance }) =>
      converted(channels?.[channel.name] ?? distance.map(() => null), channel.unit)
    ),
    ...(stepped ? { stepped, whole: true } : {}),
    ...(channel.kind === "flag" ? { range: [0, 1.1] as const } : {})
  }
}

export interface DrawnChannels {
  readonly drawn: ReadonlyArray<Drawn>
  /** Chosen channels that none of the laps has. */
  readonly unreported: ReadonlyArray<string>
}

/** The chosen channels. The first lap is the reference. */
export const channelsOf = (
  names: ReadonlyArray<string>,
  traces: ReadonlyArray<Trace>,
  dictionary: ReadonlyMap<string, Channel>,
  /** The fastest lap's time, s; null: not known. */
  fastestTime: number | null
): DrawnChannels => {
  const all = names.flatMap((name): ReadonlyArray<Drawn> => {
    if (isOwn(name)) return [drawnOwn(name, traces, fastestTime)]
    const channel = dictionary.get(name)
    return channel === undefined ? [] : [drawnOther(channel, traces)]
  })
  const drawn = all.filter(({ columns, name }) => name === "time_delta" || isReported(name, columns))
  return { drawn, unreported: all.filter((one) => !drawn.includes(one)).map(({ name }) => name) }
}

/** Settings that plots depend on in addition to the comparison. */
export const lookOf = (): string => JSON.stringify(settings.value)

/** Sets of channels: of each, those that a session has are drawn. */
export const sets: ReadonlyArray<readonly [title: string, patterns: ReadonlyArray<string>]> = [
  ["Driving", OWN],
  ["Tyres", ["speed", "time_delta", "tyre_temperature_*", "tyre_pressure_*", "tyre_wear_*", "slip_angle_*"]],
  [
    "Forces",
    ["speed", "time_delta", "g_lateral", "g_longitudinal", "g_vertical", "yaw_rate", "slip_ratio_*"]
  ],
  ["Fuel", ["speed", "time_delta", "throttle", "fuel", "fuel_mass", "fuel_fraction", "fuel_laps", "ers_*"]]
]

const fits = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name

export const namesOfSet = (
  patterns: ReadonlyArray<string>,
  known: ReadonlyArray<string>
): ReadonlyArray<string> =>
  patterns.flatMap((pattern) => (isOwn(pattern) ? [pattern] : known.filter((name) => fits(pattern, name))))

/** The comparison's channels that some lap lacks, by the comparison's names. */
export const missingOf = ({ missing_channels }: Comparison): string =>
  missing_channels.join(", ").replaceAll("_", " ")
