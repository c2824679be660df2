/** The choice of a session's channels: names as in addresses, the four wheels as one, and sets that belong together. */
import type { Channel } from "../types.ts"

/** A channel of points that those of the WebSocket lack (interface, section 6), so it must be requested. */
export const STEERING = "steering"

/** Temperatures of tyres, in the order of preference: the whole tyre's before those of a part of it. */
export const tyreTemperatures = [
  "tyre_temperature",
  "tyre_tread_temperature",
  "tyre_middle_temperature",
  "tyre_surface_temperature",
  "tyre_inner_edge_temperature",
  "tyre_outer_edge_temperature",
  "tyre_air_temperature"
] as const

/** The channels of the panel of tyres, as requested. */
export const tyreChannels: ReadonlyArray<string> = [
  ...tyreTemperatures.map((name) => `${name}_*`),
  "tyre_pressure_*",
  "tyre_wear_*",
  "tyre_compound",
  "tyre_age"
]

/** The channels of the panel of fuel. */
export const fuelChannels: ReadonlyArray<string> = [
  "fuel",
  "fuel_mass",
  "fuel_fraction",
  "fuel_laps",
  "fuel_laps_surplus",
  "ers_fraction"
]

/** Whether the panel has something to show. */
export const hasTyres = (reported: ReadonlyArray<string>) =>
  reported.some((name) => /^tyre_(\w+_)?(temperature|pressure|wear)_/.test(name))

export const hasFuel = (reported: ReadonlyArray<string>) =>
  reported.some((name) => fuelChannels.includes(name))

export const WHEELS = ["fl", "fr", "rl", "rr"] as const

/** Maximum of drawn channels (channels.md, section 5). */
export const MAX_SHOWN = 32

/** One choice: a channel, or the four wheels' channels under a name that ends in `_*`. */
export interface Choice {
  readonly name: string
  readonly unit: string
  readonly group: string
  readonly description: string
  readonly labels: Readonly<Record<string, string>>
  readonly kind: Channel["kind"]
  /** The channel, or those of the wheels in their order. */
  readonly channels: ReadonlyArray<string>
}

const ofWheel = /_(fl|fr|rl|rr)$/

/** The choices in addition to a point's channels. Derived channels are never reported live. */
export const choicesOf = (dictionary: ReadonlyArray<Channel>): ReadonlyArray<Choice> => {
  const choices = new Map<string, Choice>()
  for (const { derived, description, group, kind, labels, name, unit } of dictionary) {
    if (derived || group === null || group === "points") continue
    const key = name.replace(ofWheel, "_*")
    const before = choices.get(key)
    const channels = [...(before?.channels ?? []), name]
    choices.set(key, { name: key, unit, group, description, labels, kind, channels })
  }
  return [...choices.values()]
}

/** `tyre_surface_temperature_*` as `Tyre surface temperature`. */
export const labelOf = (name: string): string => {
  const words = name.replace(/_\*$/, "").replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** The names of these that the panel of tyres shows: of several temperatures only one. */
const inTyrePanel = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const temperatures = tyreTemperatures.map((name) => `${name}_*`)
  const shown = temperatures.find((name) => names.includes(name))
  const panel = names.filter(
    (name) => name === shown || (tyreChannels.includes(name) && !temperatures.includes(name))
  )
  // A compound or an age alone does not fill the panel.
  return panel.some((name) => name.endsWith("_*")) ? panel : []
}

/** The names of these that the panels of tyres and fuel show. */
export const inPanels = (names: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...inTyrePanel(names),
  ...names.filter((name) => fuelChannels.includes(name))
]

const FORCES = ["g_lateral", "g_longitudinal", "g_vertical", "yaw_rate"]
const DRIVING = ["clutch", "handbrake", "brake_bias", "abs_active", "tc_active", "drs_open", "pit_limiter"]

const those = (wanted: ReadonlyArray<string>) => (names: ReadonlyArray<string>) =>
  names.filter((name) => wanted.includes(name))

/** Sets of choices that belong together, as far as the choices exist. */
const channelSets = [
  ["Tyres", inTyrePanel],
  ["Fuel", those(fuelChannels)],
  ["Forces", those(FORCES)],
  ["Driving", those(DRIVING)]
] as const

export interface ChannelSet {
  readonly title: string
  readonly names: ReadonlyArray<string>
}

/** The sets that are not empty. */
export const setsOf = (choices: ReadonlyArray<Choice>): ReadonlyArray<ChannelSet> => {
  const all = choices.map(({ name }) => name)
  return channelSets.map(([title, of]) => ({ title, names: of(all) })).filter(({ names }) => names.length > 0)
}

/** Names that are shown before the user chooses: tyres and fuel, else the first set. */
export const usualNames = (choices: ReadonlyArray<Choice>): ReadonlyArray<string> => {
  const panels = inPanels(choices.map(({ name }) => name))
  return panels.length > 0 ? panels : (setsOf(choices)[0]?.names ?? [])
}

/** The choices of these names, in the dictionary's order, up to the maximum of channels. */
export const chosenOf = (
  choices: ReadonlyArray<Choice>,
  names: ReadonlyArray<string>
): { readonly shown: ReadonlyArray<Choice>; readonly channels: number; readonly leftOut: number } => {
  const wanted = new Set(names)
  const shown: Array<Choice> = []
  let channels = 0
  let leftOut = 0
  for (const choice of choices) {
    if (!wanted.has(choice.name)) continue
    if (channels + choice.channels.length > MAX_SHOWN) leftOut += 1
    else {
      shown.push(choice)
      channels += choice.channels.length
    }
  }
  return { shown, channels, leftOut }
}
