/** Channels of an imported session: those of the vocabulary, and those that keep a name of the file's own. */
import type { ChannelDeclaration, ChannelKind } from "../../domain/Dictionary.ts"
import { MAX_CHANNELS, POINTS } from "../../domain/Dictionary.ts"
import { isName, takenChannels } from "../../domain/channelNames.ts"
import { namedChannel, pointDefinitions, vocabulary } from "../../domain/vocabulary.ts"

/** A channel that rows are made for, with its group; a channel of the points has the group POINTS. */
export interface ImportedChannel extends ChannelDeclaration {
  readonly group: string
}

/** The maximum length of a description, in characters (native-feed.md). */
const MAX_DESCRIPTION = 256
const MAX_CHANNEL_NAME = 63

/** A channel of the points or of the vocabulary; undefined if neither has it. */
export const ours = (name: string): (ImportedChannel & { readonly unit: string }) | undefined => {
  const point = pointDefinitions.find((one) => one.name === name)
  if (point !== undefined) return { name, group: POINTS, unit: point.unit }
  const known = namedChannel(name)
  return known === undefined ? undefined : { name, group: known.group, unit: known.channel.unit }
}

/** Names in other programs are compared without case and blanks. */
const aliasKey = (alias: string) => alias.replace(/[\s_]+/g, "").toLowerCase()

const byAlias: ReadonlyMap<string, string> = new Map(
  [...pointDefinitions, ...vocabulary.flatMap(({ channels }) => channels)].flatMap(({ aliases, name }) =>
    aliases.map((alias) => [aliasKey(alias), name] as const)
  )
)

/** The channel that MoTeC i2 or iRacing calls by this name. */
export const withAlias = (alias: string) => {
  const name = byAlias.get(aliasKey(alias))
  return name === undefined ? undefined : ours(name)
}

export interface FileChannel {
  /** Its name in the file. */
  readonly name: string
  readonly unit: string
  readonly kind: ChannelKind
  /** Samples a second; undefined where they are irregular. */
  readonly rate?: number | undefined
  readonly description?: string | undefined
}

/** Gives each channel that keeps a name of the file's own a name, and counts the channels of the session. */
export class OwnNames {
  readonly #prefix: string
  readonly #taken = new Set<string>()
  readonly leftOut: Array<string> = []

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Whether the session has room for a channel of this name. The first channel of a name has it. */
  take(name: string): boolean {
    if (this.#taken.has(name) || this.#taken.size >= MAX_CHANNELS) return false
    this.#taken.add(name)
    return true
  }

  /** A channel of the group; undefined if the session has no room for it. */
  own({ description, kind, name, rate, unit }: FileChannel, group: string): ImportedChannel | undefined {
    const plain = `${this.#prefix}_${name}`
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/_+$/, "")
    for (let n = 1; n <= MAX_CHANNELS; n++) {
      const end = n === 1 ? "" : `_${n}`
      const unique = plain.slice(0, MAX_CHANNEL_NAME - end.length) + end
      if (!isName(unique) || takenChannels.has(unique) || this.#taken.has(unique)) continue
      if (!this.take(unique)) break
      const title = `"${name}"${rate === undefined ? "" : `, ${rate} Hz`}`
      const described = description === undefined || description === "" ? title : `${title}: ${description}`
      return {
        name: unique,
        group,
        unit: unit.slice(0, 64),
        kind,
        description: described.slice(0, MAX_DESCRIPTION)
      }
    }
    this.leftOut.push(name)
    return undefined
  }

  /** Sentences about channels for which there was no room. */
  get warnings(): ReadonlyArray<string> {
    const [first] = this.leftOut
    return first === undefined
      ? []
      : [
          `A session has room for ${MAX_CHANNELS} channels: ${this.leftOut.length} are left out, from ${first} on`
        ]
  }
}
