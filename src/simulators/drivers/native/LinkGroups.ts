/**
 * The groups that a feed has declared on one link, in the order in which packed messages count them.
 *
 * Each entry of a declaration, also a refused one, has its index and its column: a feed may not know of the refusal,
 * and its samples must not count as another channel's. The recorder drops the columns that the session's dictionary
 * does not have.
 */
import {
  type ChannelDeclaration,
  type Columns,
  type GroupDeclaration,
  LAP,
  MAX_CHANNELS,
  MAX_GROUPS,
  POINTS
} from "../../../domain/Dictionary.ts"
import { MAX_GROUP_NAME, readChannel } from "./declarations.ts"
import { record, textOf } from "./envelopes.ts"
import { Sequence } from "./Sequence.ts"

const TIMESTAMP = "timestamp"

/** The name of a column or group for which the feed gave no usable name. Nothing else has this name. */
const NAMELESS = ""

export class LinkGroup {
  readonly name: string
  readonly sequence = new Sequence()
  #columns: Columns = [TIMESTAMP]
  readonly #places = new Map<string, number>([[TIMESTAMP, 0]])

  constructor(name: string) {
    this.name = name
  }

  /** The columns of a packed message: "timestamp", then channels in order of declaration. A new array when one was added. */
  get columns(): Columns {
    return this.#columns
  }

  /** Whether the feed gave it a usable name. */
  get isNamed(): boolean {
    return this.name !== NAMELESS
  }

  /** Where this channel is in `columns`. */
  place(channel: string): number | undefined {
    return this.#places.get(channel)
  }

  add(channels: ReadonlyArray<string>): void {
    if (channels.length === 0) return
    const before = this.#columns.length
    this.#columns = [...this.#columns, ...channels]
    channels.forEach((channel, c) => channel !== NAMELESS && this.#places.set(channel, before + c))
  }
}

const isGroupName = (name: unknown): name is string =>
  typeof name === "string" && name !== NAMELESS && name !== POINTS && name.length <= MAX_GROUP_NAME

/** The name of a column, also of a refused channel. */
const columnOf = (channel: unknown): string => {
  const name = record(channel)?.["name"]
  return typeof name === "string" && name !== TIMESTAMP && name.length <= MAX_GROUP_NAME ? name : NAMELESS
}

/** The first problem, and the number of problems. */
class Faults {
  #first: string | undefined
  #count = 0

  add(reason: () => string): void {
    this.#first ??= reason()
    this.#count++
  }

  get reason(): string | undefined {
    return this.#count > 1 ? `${this.#first}, and ${this.#count - 1} more` : this.#first
  }
}

export interface Declared {
  /** The well-formed part. */
  readonly groups: ReadonlyArray<GroupDeclaration>
  /** The problems of the rest. */
  readonly refused: string | undefined
}

export class LinkGroups {
  readonly #groups: Array<LinkGroup> = []
  /** Over all groups: no link has more than MAX_CHANNELS. */
  #channels = 0

  /** By its index in packed messages, from 1. */
  at(index: number): LinkGroup | undefined {
    return this.#groups[index - 1]
  }

  named(name: unknown): LinkGroup | undefined {
    return this.#groups.find((group) => group.isNamed && group.name === name)
  }

  /** Whether the feed sends laps in their own group, and not in its points. */
  get haveLap(): boolean {
    return this.named(LAP) !== undefined
  }

  /** The next messages of any group begin new sequences. */
  forgetSequences(): void {
    for (const { sequence } of this.#groups) sequence.forget()
  }

  /** Takes the `groups` of a message: new entries have their places from here on. */
  declare(groups: unknown): Declared {
    const faults = new Faults()
    const declared: Array<GroupDeclaration> = []
    if (!Array.isArray(groups)) return { groups: [], refused: "groups that are no array" }
    // The rest is not read, so that no declaration makes reading slow: no feed declares more.
    if (groups.length > MAX_GROUPS) faults.add(() => `a declaration of ${groups.length} groups`)
    let left = MAX_CHANNELS
    for (const said of groups.slice(0, MAX_GROUPS)) {
      const group = this.#group(record(said)?.["name"], faults)
      const channels = record(said)?.["channels"]
      if (group === undefined) continue
      if (!Array.isArray(channels)) {
        faults.add(() => `a group without an array of channels: ${textOf(said)}`)
        continue
      }
      if (channels.length > left) faults.add(() => `a declaration of more than ${MAX_CHANNELS} channels`)
      const read = this.#channelsOf(group, channels.slice(0, left), faults)
      left -= Math.min(left, channels.length)
      if (group.isNamed && read.length > 0) declared.push({ name: group.name, channels: read })
    }
    return { groups: declared, refused: faults.reason }
  }

  /** The group of this name, added where it is new; undefined where there is no room. */
  #group(name: unknown, faults: Faults): LinkGroup | undefined {
    if (!isGroupName(name)) faults.add(() => `a group with the invalid name ${textOf(name)}`)
    const known = isGroupName(name) ? this.named(name) : undefined
    if (known !== undefined) return known
    if (this.#groups.length >= MAX_GROUPS) {
      faults.add(() => `more than ${MAX_GROUPS} groups`)
      return undefined
    }
    const group = new LinkGroup(isGroupName(name) ? name : NAMELESS)
    this.#groups.push(group)
    return group
  }

  #channelsOf(group: LinkGroup, said: ReadonlyArray<unknown>, faults: Faults) {
    const read: Array<ChannelDeclaration> = []
    const columns: Array<string> = []
    const added = new Set<string>()
    for (const one of said) {
      const column = columnOf(one)
      if (column === NAMELESS || (group.place(column) === undefined && !added.has(column))) {
        if (this.#channels >= MAX_CHANNELS) {
          faults.add(() => `more than ${MAX_CHANNELS} channels`)
          break
        }
        this.#channels++
        columns.push(column)
        added.add(column)
      }
      const channel = readChannel(one)
      if (typeof channel === "function") faults.add(channel)
      else read.push(channel)
    }
    group.add(columns)
    return read
  }
}
