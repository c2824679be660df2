/** The groups that a recording declares, as packed messages count them: in order of declaration, with their columns. */

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null

const isArray = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** The name of a group or a channel; undefined if it is no valid name. */
const nameOf = (value: unknown): string | undefined => {
  const name = isObject(value) ? value["name"] : undefined
  return typeof name === "string" && /^[a-z][a-z0-9_]{0,62}$/.test(name) ? name : undefined
}

export class RecordedGroups {
  /** In order; channels without the timestamp. */
  readonly #groups = new Map<string, Array<string>>()
  /** Whether all names were valid. Otherwise the service may count differently, and samples are sent as text. */
  #isSound = true

  /** Takes the `groups` of a message: new channels and groups are appended. */
  declare(groups: unknown): void {
    for (const group of isArray(groups) ? groups : []) {
      const name = nameOf(group)
      const channels = isObject(group) ? group["channels"] : undefined
      if (name === undefined || !isArray(channels)) {
        this.#isSound = false
        continue
      }
      const known = this.#groups.get(name) ?? []
      this.#groups.set(name, known)
      for (const channel of channels) {
        const added = nameOf(channel)
        if (added === undefined) this.#isSound = false
        else if (!known.includes(added)) known.push(added)
      }
    }
  }

  /** The group's index, from 1, and the columns of its packed samples. */
  named(name: unknown): { readonly index: number; readonly columns: ReadonlyArray<string> } | undefined {
    const channels = typeof name === "string" && this.#isSound ? this.#groups.get(name) : undefined
    if (channels === undefined) return undefined
    return {
      index: [...this.#groups.keys()].indexOf(name as string) + 1,
      columns: ["timestamp", ...channels]
    }
  }
}
