/**
 * The channels that live clients ask for besides a point's own: names, and patterns that follow a session's dictionary as it
 * grows. Clients that ask for the same channels share one selection, and so their messages.
 */
import { isPattern, matches } from "../domain/channelPattern.ts"

/** The number of different selections in one process at a time. Each needs messages of its own. */
export const MAX_SELECTIONS = 64

/**
 * The number of names whose answer is remembered. Otherwise many patterns would be matched against all channels of each
 * session.
 */
const MAX_DECIDED = 4096

export class ChannelSelection {
  /** Equal for the same names, in whatever order a client gives them. */
  readonly key: string
  /** The names that are no patterns, in order. */
  readonly names: ReadonlyArray<string>
  readonly patterns: ReadonlyArray<string>
  readonly #names: ReadonlySet<string>
  /** Whether a name matches one of the patterns, by name. */
  readonly #decided = new Map<string, boolean>()

  constructor(wanted: ReadonlyArray<string>) {
    const all = [...new Set(wanted)].sort()
    this.key = all.join(",")
    this.names = all.filter((name) => !isPattern(name))
    this.patterns = all.filter(isPattern)
    this.#names = new Set(this.names)
  }

  /** Names and patterns. */
  get all(): ReadonlyArray<string> {
    return [...this.names, ...this.patterns]
  }

  has(name: string): boolean {
    if (this.#names.has(name)) return true
    if (this.patterns.length === 0) return false
    let holds = this.#decided.get(name)
    if (holds === undefined) {
      holds = this.patterns.some((pattern) => matches(pattern, name))
      if (this.#decided.size >= MAX_DECIDED) this.#decided.clear()
      this.#decided.set(name, holds)
    }
    return holds
  }
}

/** The selections in use. */
export class ChannelSelections {
  readonly #inUse = new Map<string, { readonly selection: ChannelSelection; users: number }>()

  /**
   * Gives the selection to one more user, who calls the returned function at the end. Undefined if too many others are in
   * use.
   */
  take(
    wanted: ReadonlyArray<string>
  ): { readonly selection: ChannelSelection; readonly release: () => void } | undefined {
    const asked = new ChannelSelection(wanted)
    let entry = this.#inUse.get(asked.key)
    if (entry === undefined) {
      if (this.#inUse.size >= MAX_SELECTIONS) return undefined
      entry = { selection: asked, users: 0 }
      this.#inUse.set(asked.key, entry)
    }
    const taken = entry
    taken.users++
    return {
      selection: taken.selection,
      release: () => {
        taken.users--
        if (taken.users === 0) this.#inUse.delete(asked.key)
      }
    }
  }
}
