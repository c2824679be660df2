/** What the recorder and the live clients' processes say to each other about samples of groups other than `points`. */
import { sameChannels, type SampleBatch } from "../domain/PointBatch.ts"
import { ChannelSelection } from "./ChannelSelection.ts"

/** Rows of one group, newest last; without any it says which columns the group has. */
export interface GroupRows {
  readonly group: string
  readonly batch: SampleBatch
}

/** Which channels live clients watch. */
export interface WatchedChannels {
  /** Names and patterns. */
  readonly channels: ReadonlyArray<string>
  /** Of these sessions; undefined is all. */
  readonly sessions: ReadonlyArray<number> | undefined
}

/** Groups whose answer is remembered: all of twenty sessions' with room to spare. */
const MAX_DECIDED = 4096

/** Which selections are watched, and of which sessions. */
export class ChannelWatch {
  readonly #watched = new Map<ChannelSelection, Map<number | undefined, number>>()
  readonly #decided = new Map<string, { readonly columns: ReadonlyArray<string>; readonly holds: boolean }>()

  /** What another process says is watched. Selections that `before` has, too, are taken from there: they know what they match. */
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

  /** One more watches the selection, of one session or of all (undefined). Whether that is new. */
  add(selection: ChannelSelection, sessionId: number | undefined): boolean {
    let sessions = this.#watched.get(selection)
    if (sessions === undefined) this.#watched.set(selection, (sessions = new Map()))
    const users = sessions.get(sessionId) ?? 0
    sessions.set(sessionId, users + 1)
    if (users === 0) this.#decided.clear()
    return users === 0
  }

  /** One watcher fewer. Whether it was the last. */
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

  /** Whether somebody watches a channel among those of the session's group. */
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
