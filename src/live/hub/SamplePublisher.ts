/**
 * The recorder's side of channels in live telemetry: keeps the newest row of each group of the recorded sessions, and decides
 * which rows go to live clients.
 *
 * Guarantees: nothing is sent for a group without watchers. A new watcher gets the newest rows immediately. Rows are
 * sent before the next points of their session, all groups together.
 */
import { ABSENT, RowBatch, sameChannels } from "../../domain/RowBatch.ts"
import type { Dictionary } from "../../domain/Dictionary.ts"
import { ChannelWatch, type GroupRows, type WatchedChannels } from "../channels/ChannelWatch.ts"
import { SampleBacklog } from "../channels/SampleBacklog.ts"

/** More sessions than are ever recorded at the same time. */
const MAX_SESSIONS = 256

/** The newest row of a group, and its columns. */
interface Newest {
  columns: ReadonlyArray<string>
  row: Float64Array
  /** False before the first row. */
  hasRow: boolean
}

type Send = (sessionId: number, groups: ReadonlyArray<GroupRows>) => void

export class SamplePublisher {
  readonly #send: Send
  readonly #sessions = new Map<number, Map<string, Newest>>()
  readonly #declared = new Map<number, Dictionary>()
  readonly #backlog = new SampleBacklog()
  #watch = new ChannelWatch()

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Declares the session's groups and channels, possibly before any row. Returns immediately if nothing has changed.
   */
  declare(sessionId: number, dictionary: Dictionary): void {
    if (this.#declared.get(sessionId) === dictionary) return
    this.#declared.set(sessionId, dictionary)
    if (this.#declared.size > MAX_SESSIONS) this.#forgetOldest(this.#declared)
    for (const { columns, name } of dictionary.groups) {
      this.publish(sessionId, name, RowBatch.allocate(0, columns))
    }
  }

  /** Adds rows just received, whose columns include "timestamp". Copies the values that it keeps. */
  publish(sessionId: number, group: string, batch: RowBatch): void {
    this.#remember(sessionId, group, batch)
    if (this.#watch.concerns(sessionId, group, batch.channels)) this.#backlog.add(sessionId, { group, batch })
  }

  /** To be called before points of the session are published. */
  beforePoints(sessionId: number): void {
    const groups = this.#backlog.take(sessionId)
    if (groups !== undefined) this.#send(sessionId, groups)
  }

  /** Sets the watched channels. */
  watch(watched: ReadonlyArray<WatchedChannels>): void {
    this.#watch = ChannelWatch.of(watched, this.#watch)
    this.#backlog.clear()
    if (this.#watch.isEmpty) return
    for (const [sessionId, groups] of this.#sessions) {
      const rows: Array<GroupRows> = []
      for (const [group, { columns, hasRow, row }] of groups) {
        if (!this.#watch.concerns(sessionId, group, columns)) continue
        rows.push({ group, batch: new RowBatch(hasRow ? 1 : 0, hasRow ? row.slice() : empty, columns) })
      }
      if (rows.length > 0) this.#send(sessionId, rows)
    }
  }

  /** To be called when the session has ended. */
  forget(sessionId: number): void {
    this.#sessions.delete(sessionId)
    this.#declared.delete(sessionId)
    this.#backlog.forget(sessionId)
  }

  #remember(sessionId: number, group: string, { channels, data, length }: RowBatch): void {
    let groups = this.#sessions.get(sessionId)
    if (groups === undefined) {
      this.#sessions.set(sessionId, (groups = new Map()))
      if (this.#sessions.size > MAX_SESSIONS) this.#forgetOldest(this.#sessions)
    }
    let newest = groups.get(group)
    if (newest === undefined) {
      newest = { columns: channels, row: new Float64Array(channels.length), hasRow: false }
      groups.set(group, newest)
    } else if (!sameChannels(newest.columns, channels)) {
      const { columns, row } = newest
      newest.row = Float64Array.from(channels, (name) => row[columns.indexOf(name)] ?? ABSENT)
      newest.columns = channels
    }
    if (length === 0) return
    for (let c = 0; c < channels.length; c++) newest.row[c] = data[(c + 1) * length - 1]!
    newest.hasRow = true
  }

  #forgetOldest(sessions: ReadonlyMap<number, unknown>): void {
    for (const oldest of sessions.keys()) return void this.forget(oldest)
  }
}

const empty = new Float64Array(0)
