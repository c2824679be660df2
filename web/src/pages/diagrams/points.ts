/** The points of diagrams: the rows of some laps or of a whole session, with channels of several groups beside each other. */
import { api } from "../../api.ts"
import { concatenated, type Joined, joinRows, type Row, type RowsOfGroup } from "../../draw/joinRows.ts"
import type { Channel, Lap } from "../../types.ts"

/** More points than this are thinned. */
export const MAX_POINTS = 100_000
/** A value holds so long at most, s, and so many intervals of its group (the histogram's rule). */
const HOLDS_S = 2
const HOLDS_INTERVALS = 5
/** A lap's first points need values from before it; slow groups have a row in this time, s. */
const BEFORE_S = 60

export interface Points extends Joined {
  /** The place of each point's lap among the chosen ones. */
  readonly lapOf: Uint8Array
  /** Every N-th row was read. */
  readonly every: number
}

interface Group {
  readonly name: string
  readonly names: ReadonlyArray<string>
  readonly rate: number
  readonly samples: number
}

/** The groups of these channels, the first channel's first. */
const groupsOf = (names: ReadonlyArray<string>, channels: ReadonlyArray<Channel>): ReadonlyArray<Group> => {
  const wanted = names.flatMap((name) => channels.find((channel) => channel.name === name) ?? [])
  return [...new Set(wanted.map(({ group }) => group!))].map((group) => {
    const own = wanted.filter((channel) => channel.group === group)
    const { rate, samples } = own[0]!
    return {
      name: group,
      names: [...new Set(own.map(({ name }) => name))],
      rate: rate ?? 1,
      samples: samples ?? 0
    }
  })
}

/** Every how many-th row of a group is read, by its share in the session. */
const everyOf = ({ samples }: Group, share: number): number =>
  Math.max(1, Math.ceil((samples * share) / MAX_POINTS))

const holding = ({ rate }: Group, every: number): number =>
  Math.max(HOLDS_S, (HOLDS_INTERVALS * every) / rate)

/** Rows have the requested channels only: the client's type covers all forms of the answer. */
const rowsIn = ({ points }: { readonly points: ReadonlyArray<object> }) => points as ReadonlyArray<Row>

const wantedOf = ({ name, names }: Group, every: number) => ({
  group: name,
  channels: [...names],
  sampleRate: every
})

/** A lap, or the whole session. */
const joinedOf = async (
  sessionId: number,
  lap: Lap | undefined,
  [first, ...others]: readonly [Group, ...ReadonlyArray<Group>],
  every: (group: Group) => number
): Promise<Joined> => {
  const rows = rowsIn(
    lap === undefined
      ? await api.sessionRows({ sessionId, ...wantedOf(first, every(first)) })
      : await api.lapRows({ lapId: lap.id, ...wantedOf(first, every(first)) })
  )
  const [start, end] = [rows[0]?.["timestamp"], rows.at(-1)?.["timestamp"]]
  const times =
    typeof start === "number" && typeof end === "number"
      ? { startTime: start - BEFORE_S, endTime: end }
      : undefined
  const beside = await Promise.all(
    others.map(async (group): Promise<RowsOfGroup> => ({
      rows:
        times === undefined
          ? []
          : rowsIn(await api.sessionRows({ sessionId, ...times, ...wantedOf(group, every(group)) })),
      names: group.names,
      holds: holding(group, every(group))
    }))
  )
  return joinRows([{ rows, names: first.names, holds: holding(first, every(first)) }, ...beside])
}

/** `names`: the first gives the times. `laps`: none is the whole session, of which the laps have `share`. */
export const readPoints = async (
  sessionId: number,
  laps: ReadonlyArray<Lap>,
  share: number,
  names: ReadonlyArray<string>,
  channels: ReadonlyArray<Channel>
): Promise<Points> => {
  const [first, ...others] = groupsOf(names, channels)
  const nothing = { times: new Float64Array(), columns: new Map(), lapOf: new Uint8Array(), every: 1 }
  if (first === undefined) return nothing
  const every = (group: Group) => everyOf(group, share)
  const spans = laps.length === 0 ? [undefined] : laps
  const parts = await Promise.all(spans.map((lap) => joinedOf(sessionId, lap, [first, ...others], every)))
  const lapOf = Uint8Array.from(parts.flatMap(({ times }, k) => Array.from(times, () => k)))
  return { ...concatenated(parts), lapOf, every: every(first) }
}
