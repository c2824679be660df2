/** What a log has of a session: its groups, their rates, and the channels that they become. */
import { Effect, Option, Stream } from "effect"
import { matches } from "../../domain/channelPattern.ts"
import { isDeclared } from "../../domain/ChannelSet.ts"
import { type ChannelDefinition, type Dictionary, POINTS } from "../../domain/Dictionary.ts"
import { channels as pointChannels } from "../../domain/pointChannels.ts"
import { namedChannel, pointDefinitions } from "../../domain/vocabulary.ts"
import { RowStore } from "../../store/RowStore.ts"
import type { LdOutChannel, LdStored } from "./ldLayout.ts"
import { ldName } from "./ldNames.ts"

const MAX_RATE_HZ = 1000
export const GAP_CHANNEL = "Data Gap"

interface GroupOut {
  readonly name: string
  /** "timestamp", then the channels. */
  readonly columns: ReadonlyArray<string>
  readonly channels: ReadonlyArray<ChannelDefinition>
}

export const groupsOf = (dictionary: Dictionary, wanted: ReadonlyArray<string>): ReadonlyArray<GroupOut> => {
  const isWanted = ({ name }: ChannelDefinition) =>
    wanted.length === 0 || wanted.some((pattern) => matches(pattern, name))
  const points = pointDefinitions.filter(
    ({ name }) =>
      name !== "timestamp" &&
      isDeclared(dictionary.declared, (pointChannels as ReadonlyArray<string>).indexOf(name))
  )
  return [
    { name: POINTS, channels: points },
    ...dictionary.groups.map(({ channels, name }) => ({ name, channels: channels.filter(isWanted) }))
  ]
    .filter(({ channels }) => channels.length > 0)
    .map((group) => ({ ...group, columns: ["timestamp", ...group.channels.map(({ name }) => name)] }))
}

/** Codes and counts of the vocabulary are whole numbers; a step of a source's own may be any number. */
const isWhole = ({ kind, name, unit }: ChannelDefinition) =>
  kind === "flag" || (kind === "step" && unit === "" && (name === "gear" || namedChannel(name) !== undefined))

const storedAs = (channel: ChannelDefinition): LdStored =>
  channel.name === "latitude" || channel.name === "longitude"
    ? "degrees"
    : isWhole(channel)
      ? "short"
      : "float"

/** A group's rate, Hz, from the median interval of its first rows; undefined without two rows. */
const rateOf = (times: Float64Array): number | undefined => {
  const steps = Array.from(
    { length: Math.max(0, times.length - 1) },
    (_, i) => times[i + 1]! - times[i]!
  ).toSorted((a, b) => a - b)
  const median = steps[steps.length >> 1]
  return median === undefined ? undefined : Math.max(1, Math.min(MAX_RATE_HZ, Math.round(1 / median)))
}

export interface Range {
  readonly sessionId: number
  readonly from: number
  readonly until: number
}

/** A group with its rate, and the channels that it becomes in the log. */
interface Planned extends GroupOut {
  readonly rate: number
  readonly count: number
  readonly out: ReadonlyArray<LdOutChannel>
}

export const plan = Effect.fnUntraced(function* (range: Range, groups: ReadonlyArray<GroupOut>) {
  const store = yield* RowStore
  const planned: Array<Planned> = []
  let start = Number.NaN
  let end = Number.NaN
  for (const group of groups) {
    const rows = { ...range, group: group.name }
    const first = yield* Stream.runHead(store.read(rows, ["timestamp"]))
    const bounds = yield* store.bounds({ sessionId: range.sessionId, group: group.name })
    if (Option.isNone(first) || Option.isNone(bounds) || first.value.length === 0) continue
    const last = Math.min(bounds.value.last, range.until)
    // All channels begin with the first point.
    if (Number.isNaN(start)) start = first.value.timestamps[0]!
    if (Number.isNaN(end)) end = last
    const rate = rateOf(first.value.timestamps) ?? 1
    const count = Math.max(1, Math.floor((last - start) * rate + 1e-6) + 1)
    const hasPlace = group.name === POINTS && group.columns.includes("position_x")
    const isPlaced = groups.some(({ channels }) => channels.some(({ name }) => name === "latitude"))
    const out = [
      ...group.channels.map((channel): LdOutChannel => {
        const { name, unit } = ldName(channel)
        return { name, unit, stored: storedAs(channel), rate, count }
      }),
      ...(hasPlace && !isPlaced
        ? ["GPS Latitude", "GPS Longitude"].map((name) => ({
            name,
            unit: "deg",
            stored: "degrees" as const,
            rate,
            count
          }))
        : []),
      ...(group.name === POINTS
        ? [{ name: GAP_CHANNEL, unit: "", stored: "short" as const, rate, count }]
        : [])
    ]
    planned.push({ ...group, rate, count, out })
  }
  return { planned, start, end }
})

export type Plan = Effect.Effect.Success<ReturnType<typeof plan>>
