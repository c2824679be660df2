/**
 * The channels that a driver's packets have beyond points: a line for each channel, `channel <- field, conversion`. It is
 * compiled to the groups to declare, and to how their rows are made.
 *
 * A field has its newest value, from whichever packet. A group's row is taken when its leading packet arrives: the first
 * packet in the map that has any field of the group. So the map lists the most frequent packets first, and of packets that
 * arrive together the last one first.
 */
import invariant from "tiny-invariant"
import type { ChannelDeclaration, ChannelKind, Columns, GroupDeclaration } from "../../domain/Dictionary.ts"
import { namedChannel, vocabulary } from "../../domain/vocabulary.ts"
import { NumberTable, type NumberType, type Place } from "./numbers.ts"
import type { Sequence, SequenceField } from "./Sequence.ts"
import type { Field, NamesOf, Struct } from "./Struct.ts"

/** Converts the values of the line's fields, all finite. Returns `ABSENT` if they give no value. */
type Convert = (a: number, b: number, c: number) => number

/**
 * For a channel of the simulator's own, whose name begins with the simulator's: all of it except `labels`. Otherwise it
 * replaces the vocabulary's description.
 */
export interface More {
  readonly group?: string
  readonly unit?: string
  readonly kind?: ChannelKind
  readonly description?: string
  readonly labels?: Readonly<Record<string, string>>
}

/**
 * `from`: a field of this packet, or `packet.field` of another; or several fields, which the conversion gets in this
 * order.
 */
export type Line<From extends string = string> = readonly [
  channel: string,
  from: From | readonly [From, From, From?],
  convert?: Convert | undefined,
  more?: More | undefined
]

/**
 * By name: a packet's table, of which the fields at fixed places are read, or the names of values that the driver computes
 * (`ChannelRows.set`).
 */
export type Packets = Readonly<
  Record<string, Struct | Pick<Sequence<SequenceField>, "places" | "fields"> | ReadonlyArray<string>>
>

type NumbersIn<F extends SequenceField> = F extends SequenceField
  ? F[1] extends NumberType
    ? F[0]
    : never
  : never

type ValuesOf<P> =
  P extends Struct<infer F extends Field>
    ? NamesOf<F>
    : P extends Sequence<infer F>
      ? NumbersIn<F>
      : P extends ReadonlyArray<infer Name extends string>
        ? Name
        : never

/** The lines of each packet. */
export type Lines<P extends Packets> = {
  readonly [Name in keyof P]?: ReadonlyArray<
    Line<
      ValuesOf<P[Name]> | { [Other in keyof P & string]: `${Other}.${ValuesOf<P[Other]>}` }[keyof P & string]
    >
  >
}

export const AS_SENT = "As sent: no source has its sign"

/** The simulator's own channels, in groups whose names begin as its channels' do. An empty description means none. */
export const ownChannels =
  (simulator: string) =>
  (group: string, unit: string, description = AS_SENT): More => ({
    group: `${simulator}_${group}`,
    unit,
    description
  })

/** A line for each wheel, from fields with these endings for the front left, front right, rear left and rear right one. */
export const ofWheels =
  <const End extends string>(...ends: readonly [End, End, End, End]) =>
  <Name extends string>(
    channel: string,
    field: Name,
    convert?: Convert,
    more?: More
  ): ReadonlyArray<Line<`${Name}${End}`>> =>
    (["fl", "fr", "rl", "rr"] as const).map((wheel, n) => [
      `${channel}_${wheel}`,
      `${field}${ends[n]!}`,
      convert,
      more
    ])

/** How the rows of a group are made from registers: for each channel, at its index. */
export interface MappedGroup {
  readonly name: string
  /** "timestamp", then the channels. */
  readonly columns: Columns
  /** Three registers for each channel; where it uses fewer, the first is repeated. */
  readonly registers: Uint32Array
  /** The number of registers that are converted; 0 means that the first one is the value. */
  readonly arity: Uint8Array
  readonly converts: ReadonlyArray<Convert>
  /** 1 where the value was a 32-bit float, and is rounded to one again. */
  readonly rounds: Uint8Array
}

export interface MappedPacket {
  /** Reads the fields that some channel needs into registers. */
  readonly values: NumberTable
  /** Indexes of the groups whose rows are taken when this packet comes. */
  readonly leads: ReadonlyArray<number>
}

export interface ChannelMap {
  readonly groups: ReadonlyArray<MappedGroup>
  readonly declarations: ReadonlyArray<GroupDeclaration>
  /** By name. */
  readonly packets: ReadonlyMap<string, MappedPacket>
  /** The registers of values that the driver computes, by `packet.value`. */
  readonly own: ReadonlyMap<string, number>
  /** The number of registers. */
  readonly registers: number
}

/** A line with its position in the map. */
interface Placed {
  readonly packet: string
  readonly group: string
  readonly line: Line
}

const groupOf = ([channel, , , more]: Line): string => {
  const group = namedChannel(channel)?.group ?? more?.group
  invariant(group !== undefined, `BUG: ${channel} is none of the vocabulary, and has no group`)
  return group
}

const declarationOf = ([name, , , more]: Line): ChannelDeclaration => {
  if (more === undefined) return { name }
  const { group: _, ...rest } = more
  return { name, ...rest }
}

/** A field that a line reads. */
interface Source {
  /** `packet.value`. */
  readonly name: string
  readonly packet: string
  /** Undefined for a value that the driver computes. */
  readonly place: Place | undefined
}

/** The readable fields of packets, by `packet.value`. */
const sourcesIn = (packets: Packets): ReadonlyMap<string, Source> =>
  new Map(
    Object.entries(packets).flatMap(([packet, table]) => {
      const places: Iterable<readonly [string, Place?]> =
        "places" in table ? table.places : table.map((name) => [name] as const)
      return [...places].map(([value, place]): [string, Source] => {
        const name = `${packet}.${value}`
        return [name, { name, packet, place }]
      })
    })
  )

const unchanged: Convert = (value) => value

/** Compiles `lines` for `packets`. A line with a field that its packet lacks in this version of the protocol is left out. */
export const channelMap = <P extends Packets>(packets: P, lines: Lines<P>): ChannelMap => {
  const known = sourcesIn(packets)
  const sourcesOf = ({ line: [, from], packet }: Placed) =>
    [from].flat().map((name) => known.get(name!.includes(".") ? name! : `${packet}.${name}`))
  const declared = Object.entries(lines as Readonly<Record<string, ReadonlyArray<Line>>>)
    .flatMap(([packet, all]) => all.map((line): Placed => ({ packet, line, group: groupOf(line) })))
    .filter((placed) => sourcesOf(placed).every((source) => source !== undefined))
    // A channel may have several lines, with the fields of different versions; the first that fits is taken.
    .filter((placed, n, all) => all.findIndex(({ line: [channel] }) => channel === placed.line[0]) === n)
  const names = [
    ...new Set([...vocabulary, ...declared.map(({ group: name }) => ({ name }))].map(({ name }) => name))
  ]
  const inGroups = names
    .map((name) => ({ name, lines: declared.filter(({ group }) => group === name) }))
    .filter(({ lines }) => lines.length > 0)

  const used = [...new Set(declared.flatMap(sourcesOf))].map((source) => source!)
  const register = new Map(used.map((source, n) => [source, n]))
  const mapped = (lines: ReadonlyArray<Placed>): Omit<MappedGroup, "name" | "columns"> => {
    const sources = lines.map((placed) => sourcesOf(placed).map((source) => source!))
    const converts = lines.map(({ line: [, , convert] }) => convert)
    return {
      registers: Uint32Array.from(
        sources.flatMap(([a, b = a, c = a]) => [a!, b!, c!].map((source) => register.get(source)!))
      ),
      arity: Uint8Array.from(converts, (convert, n) => (convert === undefined ? 0 : sources[n]!.length)),
      converts: converts.map((convert) => convert ?? unchanged),
      rounds: Uint8Array.from(converts, (convert, n) =>
        convert !== undefined && sources[n]!.some(({ place }) => place?.type === "f32") ? 1 : 0
      )
    }
  }
  return {
    groups: inGroups.map(({ lines, name }) => ({
      name,
      columns: ["timestamp", ...lines.map(({ line: [channel] }) => channel)],
      ...mapped(lines)
    })),
    declarations: inGroups.map(({ lines, name }) => ({
      name,
      channels: lines.map(({ line }) => declarationOf(line))
    })),
    packets: new Map(
      Object.keys(packets).map((name) => [
        name,
        {
          values: new NumberTable(
            used.flatMap(({ packet, place }, target) =>
              packet === name && place !== undefined ? [{ ...place, target }] : []
            )
          ),
          leads: inGroups.flatMap(({ lines }, group) => (lines[0]!.packet === name ? [group] : []))
        }
      ])
    ),
    own: new Map(used.flatMap(({ name, place }, n) => (place === undefined ? [[name, n]] : []))),
    registers: used.length
  }
}
