/** The data that the recorder and the live clients' processes exchange about samples of groups other than `points`. */
import { type RowBatch, sameChannels } from "../../domain/RowBatch.ts"
import { ChannelSelection } from "./ChannelSelection.ts"

/** Rows of one group, newest last. A batch without rows gives the group's columns. */
export interface GroupRows {
  readonly group: string
  readonly batch: RowBatch
}

/** Channels that live clients watch. */
export interface WatchedChannels {
  /** Names and patterns. */
  readonly channels: ReadonlyArray<string>
  /** The sessions in which they are watched; undefined for all. */
  readonly sessions: ReadonlyArray<number> | undefined
}

/** The number of groups whose answer is remembered: more than those of twenty sessions. */
const MAX_DECIDED = 4096

/** The watched selections, with the sessions in which they are watched. */
export class ChannelWatch {
  readonly #watched = new Map<ChannelSelection, Map<number | undefined, number>>()
  readonly #decided = new Map<string, { readonly columns: ReadonlyArray<string>; readonly holds: boolean }>()

  /**
   * The selections that another process reports as watched. Takes a selection from `before` if it is there, because
   * selections remember which names they match.
   */
  static of(all: ReadonlyArray<WatchedChannels>, before?: ChannelWatch): ChannelWatch {
    const selections = before === undefined ? [] : [...before.#watched.keys()]
    const known = new Map(selections.map((one) => [one.key, one]))
    const watch = new ChannelWatch()
    for (const { channels, sessions } of all) {
      const asked = new ChannelSelection(channels)
      const selection = known.get(asked.key) ?? asked
      known.set(asked.key, selection)
      for (const sessionId of sessions ?? [undefined]) watch.add(selection, sessionId)
    }
    return watch
  }

  get isEmpty(): boolean {
    return this.#watched.size === 0
  }

  /** Adds a watcher of the selection, in one session or in all (undefined). Returns whether it is the first. */
  add(selection: ChannelSelection, sessionId: number | undefined): boolean {
    let sessions = this.#watched.get(selection)
    if (sessions === undefined) this.#watched.set(selection, (sessions = new Map()))
    const users = sessions.get(sessionId) ?? 0
    sessions.set(sessionId, users + 1)
    if (users === 0) this.#decided.clear()
    return users === 0
  }

  /** Removes a watcher. Returns whether it was the last. */
  remove(selection: ChannelSelection, sessionId: number | undefined): boolean {
    const sessions = this.#watched.get(selection)
    const users = sessions?.get(sessionId)
    if (sessions === undefined || users === undefined) return false
    if (users > 1) {
      sessions.set(sessionId, users - 1)
      return false
    }
    sessions.delete(sessionId)
    if (sessions.size === 0) this.#watched.delete(selection)
    this.#decided.clear()
    return true
  }

  /** Whether a client watches a channel among those of the session's group. */
  concerns(sessionId: number, group: string, columns: ReadonlyArray<string>): boolean {
    if (this.isEmpty) return false
    const key = `${sessionId} ${group}`
    const decided = this.#decided.get(key)
    if (decided !== undefined && sameChannels(decided.columns, columns)) return decided.holds
    const holds = this.#isWatched(sessionId, columns)
    if (this.#decided.size >= MAX_DECIDED) this.#decided.clear()
    this.#decided.set(key, { columns, holds })
    return holds
  }

  get all(): ReadonlyArray<WatchedChannels> {
    return [...this.#watched].map(([selection, sessions]) => ({
      channels: selection.all,
      sessions: sessions.has(undefined) ? undefined : [...sessions.keys()].map((id) => id!)
    }))
  }

  #isWatched(sessionId: number, columns: ReadonlyArray<string>): boolean {
    for (const [selection, sessions] of this.#watched) {
      if (!sessions.has(undefined) && !sessions.has(sessionId)) continue
      if (columns.some((name) => selection.has(name))) return true
    }
    return false
  }
}
