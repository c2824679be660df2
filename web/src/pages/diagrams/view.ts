/**
 * The choice of diagrams in the address: `laps` (ids, or `all` for the whole session), `channel` and `width` of the histogram, `x`, `y`
 * and `colour` (a channel, or `lap`), `report` (channels), and `sectors`.
 */
import { bestOf } from "../../laps.ts"
import { labelOf } from "../../live/channels.ts"
import { go, place, withQuery } from "../../router.ts"
import { shownIn } from "../../settings.ts"
import { fixed } from "../../format.ts"
import type { Channel, Lap } from "../../types.ts"
import { idsOf } from "../compare/view.ts"

/** Bounds of one histogram and one report, as the service has them. */
export const MAX_LAPS = 20
export const MAX_REPORTED = 32

export interface DiagramsView {
  /** The chosen laps, by number; none: the whole session. */
  readonly laps: ReadonlyArray<Lap>
  readonly channel: string
  /** In the channel's own unit; undefined: the service's choice. */
  readonly width: number | undefined
  readonly x: string
  readonly y: string
  /** A channel, or "lap". */
  readonly colour: string
  readonly report: ReadonlyArray<string>
  readonly sectors: boolean
}

/** Channels that diagrams can show: those that a simulator sends, without the time. */
export const offeredIn = (channels: ReadonlyArray<Channel>): ReadonlyArray<Channel> =>
  channels.filter(({ group, name }) => group !== null && name !== "timestamp")

const REPORTED = ["speed", "rpm", "throttle", "brake", "g_lateral", "g_longitudinal"]

const chosenLaps = (laps: ReadonlyArray<Lap>): ReadonlyArray<Lap> => {
  const text = place.value.query.get("laps")
  if (text === "all") return []
  const ids = idsOf(text)
  const chosen = laps.filter(({ id }) => ids.includes(id)).slice(0, MAX_LAPS)
  const best = bestOf(laps)
  return chosen.length > 0 ? chosen : best === undefined ? [] : [best]
}

export const diagramsView = (laps: ReadonlyArray<Lap>, channels: ReadonlyArray<Channel>): DiagramsView => {
  const { query } = place.value
  const known = new Set(channels.map(({ name }) => name))
  /** What the address wants, else the first of these that the session has. */
  const of = (parameter: string, ...usual: ReadonlyArray<string>) =>
    [query.get(parameter) ?? "", ...usual, channels[0]?.name ?? ""].find((name) => known.has(name)) ?? ""
  const width = Number(query.get("width") ?? Number.NaN)
  const reported = (query.get("report") ?? "").split(",").filter((name) => known.has(name))
  return {
    laps: chosenLaps(laps),
    channel: of("channel", "speed"),
    width: width > 0 && Number.isFinite(width) ? width : undefined,
    x: of("x", "g_lateral", "speed"),
    y: of("y", "g_longitudinal", "rpm"),
    colour: query.get("colour") === "lap" ? "lap" : of("colour", "speed"),
    report: reported.length > 0 ? reported : REPORTED.filter((name) => known.has(name)),
    sectors: query.get("sectors") === "1"
  }
}

export const choose = (changes: Readonly<Record<string, string | undefined>>) =>
  go(withQuery(changes), "replace")

/** How the values of a channel are shown. */
export interface ChannelLook {
  readonly label: string
  readonly unit: string
  readonly from: (value: number) => number
}

const percentOf = (share: number) => 100 * share

/** Pedals in percent; speeds and temperatures in the chosen units. */
export const channelLook = ({ name, unit }: Pick<Channel, "name" | "unit">): ChannelLook =>
  name === "throttle" || name === "brake"
    ? { label: labelOf(name), unit: "%", from: percentOf }
    : { label: labelOf(name), ...shownIn(unit) }

/** A shown value with about four digits. */
export const valueText = (value: number | null | undefined): string => {
  const size = Math.abs(value ?? 0)
  return fixed(value, size >= 1000 || Number.isInteger(value) ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3)
}

/** "Speed km/h" */
export const headOf = ({ label, unit }: ChannelLook): string => (unit === "" ? label : `${label} ${unit}`)
