/**
 * The rows of a session that a request selects: its points, with channels of other groups beside them, or a group's own
 * samples.
 */
import { Effect, type Stream } from "effect"
import { LAP_DISTANCE } from "../analysis/compare/channelTraces.ts"
import { isPattern, matches } from "../domain/channelPattern.ts"
import { isDeclared } from "../domain/ChannelSet.ts"
import { type ChannelDefinition, type Dictionary, POINTS } from "../domain/Dictionary.ts"
import {
  InvalidValue,
  type SessionNotFound,
  type SessionUnreadable,
  type TooManyAnswers
} from "../domain/errors.ts"
import { channels as pointChannels } from "../domain/pointChannels.ts"
import type { RowBatch } from "../domain/RowBatch.ts"
import { canPlace } from "./placedDistances.ts"

export interface RowsWanted {
  /** N: every Nth row, and always the first and the last; 1 by default. */
  readonly sampleRate?: number
  /** Names, or patterns in which `*` matches any characters. */
  readonly channels?: ReadonlyArray<string> | undefined
  /** The group whose own samples are wanted; points by default. */
  readonly group?: string | undefined
  /** The treatment of a name that the session lacks; by default it is refused. */
  readonly lacking?: "refused" | "left out"
}

/** Channels of one group. */
export interface GroupColumns {
  readonly group: string
  /** Without the timestamp, in the dictionary's order. */
  readonly names: ReadonlyArray<string>
}

export interface ChosenRows {
  /** The columns of each row. */
  readonly columns: ReadonlyArray<string>
  /** The columns whose values are whole numbers: codes, counts and flags. */
  readonly whole: ReadonlySet<string>
  /** The group whose own samples the rows are; undefined for points. */
  readonly group: string | undefined
  /** The channels of other groups that the points get. */
  readonly beside: ReadonlyArray<GroupColumns>
  /** Whether the points get, as their last column, a `lap_distance` that the analysis computes. */
  readonly isPlaced: boolean
}

/**
 * Points, with the requested channels of other groups, or a group's samples. Fails at its end when the session or lap
 * was deleted meanwhile: the stream may then be incomplete.
 */
export type RowStream<Deleted = SessionNotFound, Refused = TooManyAnswers> = Stream.Stream<
  RowBatch,
  Deleted | Refused | SessionUnreadable
>

/** Of the ten. */
const GEAR = "gear"

/** Whether there is nothing between whole numbers. */
export const isWhole = ({ kind, unit }: Pick<ChannelDefinition, "kind" | "unit">) =>
  kind === "flag" || (kind === "step" && unit === "")

const wholeOf = (channels: ReadonlyArray<ChannelDefinition>): ReadonlySet<string> =>
  new Set([GEAR, ...channels.filter(isWhole).map(({ name }) => name)])

/** Points without other channels. */
export const pointsAlone: ChosenRows = {
  columns: pointChannels,
  whole: wholeOf([]),
  group: undefined,
  beside: [],
  isPlaced: false
}

/**
 * The names that the request selects. A name that does not exist is an error; a pattern that matches nothing selects
 * nothing.
 */
const chosen = (
  wanted: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  lacking: RowsWanted["lacking"]
) =>
  Effect.gen(function* () {
    const known = new Set(names)
    const unknown =
      lacking === "left out" ? undefined : wanted.find((name) => !isPattern(name) && !known.has(name))
    if (unknown !== undefined) {
      const which = names.length === 0 ? "left out, since there are none" : `among ${names.join(", ")}`
      return yield* new InvalidValue({ name: "channels", value: unknown, expected: which })
    }
    return names.filter((name) => wanted.some((wish) => matches(wish, name)))
  })

/** The channels of the ten that the session's source declared, without the timestamp. */
const declaredChannels = ({ declared }: Dictionary) =>
  pointChannels.filter((channel, c) => channel !== "timestamp" && isDeclared(declared, c))

/** Fails where the session lacks a requested group or channel. */
export const chooseRows = Effect.fnUntraced(function* (
  dictionary: Dictionary,
  { channels = [], group, lacking }: RowsWanted
): Effect.fn.Return<ChosenRows, InvalidValue> {
  if (group === undefined) {
    const all = [
      ...dictionary.groups.flatMap(({ channels }) => channels.map(({ name }) => name)),
      ...(canPlace(dictionary) ? [LAP_DISTANCE] : [])
    ]
    // The ten are included without being named.
    const ten = new Set<string>(declaredChannels(dictionary))
    const names = new Set(
      yield* chosen(
        channels.filter((name) => !ten.has(name)),
        all,
        lacking
      )
    )
    const beside = dictionary.groups
      .map((own) => ({
        group: own.name,
        names: own.channels.map(({ name }) => name).filter((name) => names.has(name))
      }))
      .filter((own) => own.names.length > 0)
    const isPlaced = canPlace(dictionary) && names.has(LAP_DISTANCE)
    return {
      columns: [...pointChannels, ...beside.flatMap((own) => own.names), ...(isPlaced ? [LAP_DISTANCE] : [])],
      whole: wholeOf(dictionary.groups.flatMap((own) => own.channels)),
      group: undefined,
      beside,
      isPlaced
    }
  }
  const names =
    group === POINTS
      ? declaredChannels(dictionary)
      : dictionary.group(group)?.channels.map(({ name }) => name)
  if (names === undefined) {
    const groups = [POINTS, ...dictionary.groups.map(({ name }) => name)].join(", ")
    return yield* new InvalidValue({ name: "group", value: group, expected: `one of ${groups}` })
  }
  const columns = channels.length === 0 ? names : yield* chosen(channels, names, lacking)
  return {
    columns: ["timestamp", ...columns],
    whole: wholeOf(dictionary.group(group)?.channels ?? []),
    group,
    beside: [],
    isPlaced: false
  }
})
