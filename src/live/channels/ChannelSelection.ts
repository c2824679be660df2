/**
 * The channels that live clients ask for in addition to a point's own: names, and patterns that follow a session's
 * dictionary as it grows. Clients that ask for the same channels share one selection, and so their messages.
 */
import { isPattern, matches } from "../../domain/channelPattern.ts"

/** The number of different selections in one process at a time. Each needs messages of its own. */
export const MAX_SELECTIONS = 64

/**
 * The number of these that one client may use: the pages of one machine need fewer, and it takes eight clients to use
 * all.
 */
export const MAX_SELECTIONS_OF_CLIENT = 8

/**
 * The number of names whose answer is remembered. Otherwise many patterns would be matched against all channels of each
 * session.
 */
const MAX_DECIDED = 4096

export class ChannelSelection {
  /** Equal for the same names, in whatever order a client gives them. */
  readonly key: string
  /** The names that are not patterns, in order. */
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

/** Counts users by key, and forgets a key without users. */
class Users {
  readonly #counts = new Map<string, number>()

  get size(): number {
    return this.#counts.size
  }

  has(key: string): boolean {
    return this.#counts.has(key)
  }

  add(key: string, more: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + more
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

export interface TakenSelection {
  readonly selection: ChannelSelection
  readonly release: () => void
}

/** The selections in use. */
export class ChannelSelections {
  readonly #selections = new Map<string, ChannelSelection>()
  readonly #users = new Users()
  /** The users of each client. */
  readonly #clients = new Map<string, Users>()

  /**
   * Gives the selection to one more user of a client; the user calls `release` at the end. If too many other selections
   * are in use, returns the limit that was reached: that of this client, or that of all.
   */
  take(wanted: ReadonlyArray<string>, client: string): TakenSelection | "of client" | "of all" {
    const asked = new ChannelSelection(wanted)
    const { key } = asked
    const ofClient = this.#clients.get(client) ?? new Users()
    if (!ofClient.has(key) && ofClient.size >= MAX_SELECTIONS_OF_CLIENT) return "of client"
    if (!this.#users.has(key) && this.#users.size >= MAX_SELECTIONS) return "of all"
    const selection = this.#selections.get(key) ?? asked
    this.#selections.set(key, selection)
    this.#clients.set(client, ofClient)
    this.#users.add(key, 1)
    ofClient.add(key, 1)
    return {
      selection,
      release: () => {
        this.#users.add(key, -1)
        ofClient.add(key, -1)
        if (!this.#users.has(key)) this.#selections.delete(key)
        if (ofClient.size === 0) this.#clients.delete(client)
      }
    }
  }
}
