/**
 * The channels that a session's source has declared so far, beyond the ten of its points, in their groups.
 *
 * Immutable. A dictionary only grows: `declared` returns a new one, in which the earlier channels keep their places.
 */
import { type ChannelSet, allChannels } from "./ChannelSet.ts"
import { isName, POINTS, takenChannels, takenGroups } from "./channelNames.ts"
import { maxMagnitude } from "./magnitude.ts"
import { namedChannel } from "./vocabulary.ts"

/**
 * The kinds of channels, by the values between two samples. `continuous`: interpolated linearly. `angle`: degrees that
 * wrap at 360, interpolated the shorter way round. `step`: the value stays until it changes. `flag`: a step that is 0
 * or 1.
 */
export const channelKinds = ["continuous", "angle", "step", "flag"] as const
export type ChannelKind = (typeof channelKinds)[number]

export interface ChannelDefinition {
  readonly name: string
  /** "" for a quantity without a unit. */
  readonly unit: string
  readonly kind: ChannelKind
  readonly description: string
  /** The meaning of a step's codes, in words; the codes are the simulator's own. */
  readonly labels: Readonly<Record<string, string>>
}

export interface GroupDefinition {
  readonly name: string
  readonly channels: ReadonlyArray<ChannelDefinition>
}

/** A channel as a feed declares it: for a channel of the vocabulary the name is enough. */
export interface ChannelDeclaration {
  readonly name: string
  readonly unit?: string | undefined
  readonly kind?: ChannelKind | undefined
  readonly description?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
}

export interface GroupDeclaration {
  readonly name: string
  readonly channels: ReadonlyArray<ChannelDeclaration>
}

export { POINTS }
/** The group of the lap number and the lap distance that points may also carry. */
export const LAP = "lap"

export const MAX_GROUPS = 32
/** The maximum for a session, over all its groups. */
export const MAX_CHANNELS = 512
/**
 * The maximum size of the definitions of a session's channels, as JSON. Each request for points reads all of them: 52
 * MB took 0.4 s. All channels of the vocabulary take 22 kB.
 */
export const MAX_DICTIONARY_BYTES = 256 * 1024

/** The names of a group's columns, "timestamp" first. */
export type Columns = ReadonlyArray<string>

export class ChannelGroup {
  readonly name: string
  readonly channels: ReadonlyArray<ChannelDefinition>
  /** The columns of a batch of the group's samples. */
  readonly columns: Columns
  /** The largest magnitude of each channel's values. */
  readonly maxima: ReadonlyArray<number>

  constructor(name: string, channels: ReadonlyArray<ChannelDefinition>) {
    this.name = name
    this.channels = channels
    this.columns = ["timestamp", ...channels.map((channel) => channel.name)]
    this.maxima = channels.map(({ unit }) => maxMagnitude(unit))
  }
}

/** A channel that the dictionary refused, and why. */
export interface RefusedChannel {
  readonly group: string
  readonly channel: string
  readonly reason: string
}

const utf8 = new TextEncoder()

const bytesOf = (definition: ChannelDefinition): number => utf8.encode(JSON.stringify(definition)).length

/**
 * The definition of a declared channel, or why it is refused. Takes unit and kind from the vocabulary, if it has the
 * name.
 */
const definitionOf = (declared: ChannelDeclaration, group: string): ChannelDefinition | string => {
  const known = namedChannel(declared.name)
  if (known === undefined) {
    return {
      name: declared.name,
      unit: declared.unit ?? "",
      kind: declared.kind ?? "continuous",
      description: declared.description ?? "",
      labels: declared.labels ?? {}
    }
  }
  const { channel } = known
  if (known.group !== group) return `it belongs to ${known.group}`
  if (declared.unit !== undefined && declared.unit !== channel.unit) {
    return `its unit is ${JSON.stringify(channel.unit)}, not ${JSON.stringify(declared.unit)}`
  }
  if (declared.kind !== undefined && declared.kind !== channel.kind) {
    return `its kind is ${channel.kind}, not ${declared.kind}`
  }
  return {
    name: channel.name,
    unit: channel.unit,
    kind: channel.kind,
    description: declared.description ?? channel.description,
    labels: declared.labels ?? channel.labels
  }
}

/** Why two definitions of one channel contradict each other; undefined if they agree. */
const difference = (known: ChannelDefinition, declared: ChannelDeclaration): string | undefined => {
  if (declared.unit !== undefined && declared.unit !== known.unit) {
    return `its unit is ${JSON.stringify(known.unit)}, not ${JSON.stringify(declared.unit)}`
  }
  return declared.kind !== undefined && declared.kind !== known.kind
    ? `its kind is ${known.kind}, not ${declared.kind}`
    : undefined
}

export class Dictionary {
  /** The channels, out of the ten, that the source has declared so far. */
  readonly declared: ChannelSet
  readonly groups: ReadonlyArray<ChannelGroup>
  #bytes: number | undefined

  constructor(declared: ChannelSet, groups: ReadonlyArray<ChannelGroup>) {
    this.declared = declared
    this.groups = groups
  }

  /** The size of the definitions, as JSON. */
  get bytes(): number {
    this.#bytes ??= this.groups
      .flatMap(({ channels }) => channels)
      .reduce((sum, one) => sum + bytesOf(one), 0)
    return this.#bytes
  }

  get withoutGroups(): Dictionary {
    return new Dictionary(this.declared, [])
  }

  group(name: string): ChannelGroup | undefined {
    return this.groups.find((group) => group.name === name)
  }

  /** The channel of this name, and its group. */
  channel(name: string): { readonly group: ChannelGroup; readonly channel: ChannelDefinition } | undefined {
    for (const group of this.groups) {
      const channel = group.channels.find((channel) => channel.name === name)
      if (channel !== undefined) return { group, channel }
    }
    return undefined
  }

  /** The dictionary with these channels of the points declared; itself if all of them were declared before. */
  withDeclared(declared: ChannelSet): Dictionary {
    return (this.declared | declared) === this.declared
      ? this
      : new Dictionary(this.declared | declared, this.groups)
  }

  /**
   * The dictionary with these groups and channels added (itself if nothing is new), and the channels that it refuses:
   * an invalid name, a name that is taken, a channel known with another unit, kind or group, or channels beyond the
   * limits of number and size.
   */
  withGroups(declarations: ReadonlyArray<GroupDeclaration>): {
    readonly dictionary: Dictionary
    readonly refused: ReadonlyArray<RefusedChannel>
  } {
    const refused: Array<RefusedChannel> = []
    const groups = [...this.groups]
    const places = new Map(
      this.groups.flatMap(({ channels, name }) => channels.map((c) => [c.name, name] as const))
    )
    let changed = false
    let bytes = this.bytes
    for (const { channels, name } of declarations) {
      const at = groups.findIndex((group) => group.name === name)
      const known = at < 0 ? undefined : groups[at]
      const added: Array<ChannelDefinition> = []
      const wrongGroup = at < 0 ? reasonAgainstGroup(name, groups.length) : undefined
      for (const declared of channels) {
        const refuse = (reason: string) => refused.push({ group: name, channel: declared.name, reason })
        const place = places.get(declared.name)
        if (wrongGroup !== undefined) refuse(wrongGroup)
        else if (place !== undefined) {
          const same = [...(known?.channels ?? []), ...added].find(
            (channel) => channel.name === declared.name
          )
          const reason = same === undefined ? `it belongs to ${place}` : difference(same, declared)
          if (reason !== undefined) refuse(reason)
        } else if (!isName(declared.name)) refuse("its name is not valid")
        else if (takenChannels.has(declared.name)) refuse("its name is taken")
        else if (places.size >= MAX_CHANNELS) refuse(`a session has at most ${MAX_CHANNELS} channels`)
        else {
          const definition = definitionOf(declared, name)
          if (typeof definition === "string") {
            refuse(definition)
            continue
          }
          const more = bytesOf(definition)
          if (bytes + more > MAX_DICTIONARY_BYTES) {
            refuse(
              `the declarations of a session's channels are limited to ${MAX_DICTIONARY_BYTES / 1024} KiB`
            )
            continue
          }
          bytes += more
          added.push(definition)
          places.set(definition.name, name)
        }
      }
      if (added.length === 0) continue
      changed = true
      const grown = new ChannelGroup(name, [...(known?.channels ?? []), ...added])
      if (at < 0) groups.push(grown)
      else groups[at] = grown
    }
    return { dictionary: changed ? new Dictionary(this.declared, groups) : this, refused }
  }
}

const reasonAgainstGroup = (name: string, groups: number): string | undefined => {
  if (!isName(name)) return "the name of its group is none"
  if (takenGroups.has(name)) return `no group is called ${name}`
  return groups >= MAX_GROUPS ? `a session has at most ${MAX_GROUPS} groups` : undefined
}

/** The dictionary of a session about which nothing is known yet. */
export const emptyDictionary = new Dictionary(0, [])

/**
 * The dictionary of a session with points whose declared channels are unknown: all ten count as declared, and no group.
 */
export const undeclaredDictionary = new Dictionary(allChannels, [])
