/**
 * The values of the last seconds of channels other than the points', for sessions that live clients watch with
 * channels. They are needed because points of one batch may be older than the newest row.
 */
import { channels as pointChannels } from "../../domain/pointChannels.ts"
import type { PointBatch } from "../../domain/RowBatch.ts"
import type { ChannelSelection } from "./ChannelSelection.ts"
import { ChannelValues } from "./ChannelValues.ts"
import type { GroupRows } from "./ChannelWatch.ts"
import { GroupHistory } from "./GroupHistory.ts"

/** More sessions than are ever recorded at the same time. */
const MAX_SESSIONS = 256

/** Gives the selected channels as of each of a session's points. */
export type SelectedValues = (points: PointBatch) => ChannelValues

interface SessionHistory {
  readonly groups: Map<string, GroupHistory>
  /** Changes whenever a group gets other columns. */
  version: number
}

/** The places at which the values of a selection are found. */
interface Places {
  readonly version: number
  readonly names: ReadonlyArray<string>
  /** The names of one group are consecutive: `at` is the index of the first. */
  readonly groups: ReadonlyArray<{
    readonly history: GroupHistory
    readonly columns: ReadonlyArray<number>
    readonly at: number
  }>
  /** A point's own channels that the client named: the column of each, and its index among the names. */
  readonly own: ReadonlyArray<{ readonly column: number; readonly at: number }>
}

const placesOf = (selection: ChannelSelection, session: SessionHistory | undefined): Places => {
  const names: Array<string> = []
  const groups: Array<Places["groups"][number]> = []
  for (const history of session?.groups.values() ?? []) {
    const at = names.length
    const columns: Array<number> = []
    for (const [column, name] of history.columns.entries()) {
      if (name === "timestamp" || !selection.has(name)) continue
      columns.push(column)
      names.push(name)
    }
    if (columns.length > 0) groups.push({ history, columns, at })
  }
  const own: Array<Places["own"][number]> = []
  const found = new Set(names)
  for (const name of selection.names) {
    if (found.has(name)) continue
    const column = pointChannels.findIndex((channel) => channel === name)
    if (column >= 0) own.push({ column, at: names.length })
    names.push(name)
  }
  return { version: session?.version ?? 0, names, groups, own }
}

const valuesOf = ({ groups, names, own }: Places, points: PointBatch): ChannelValues => {
  const values = ChannelValues.absent(names, points.length)
  const { data, timestamps } = points
  for (const { at, columns, history } of groups) {
    for (let i = 0; i < points.length; i++) {
      const row = history.rowAt(timestamps[i]!)
      if (row < 0) continue
      const target = i * names.length + at
      for (let k = 0; k < columns.length; k++) values.data[target + k] = history.value(row, columns[k]!)
    }
  }
  for (const { at, column } of own) {
    for (let i = 0; i < points.length; i++) {
      values.data[i * names.length + at] = data[column * points.length + i]!
    }
  }
  return values
}

export class ChannelHistory {
  readonly #sessions = new Map<number, SessionHistory>()
  #versions = 0

  /** Beyond MAX_SESSIONS, drops the oldest session. If that one is still recorded, its next rows bring it back. */
  add(sessionId: number, { batch, group }: GroupRows): void {
    const session = this.#session(sessionId)
    let history = session.groups.get(group)
    if (history === undefined) {
      history = new GroupHistory(batch.channels)
      session.groups.set(group, history)
      session.version = ++this.#versions
    }
    if (history.add(batch)) session.version = ++this.#versions
  }

  /** The selected channels as of points of this session. Points and rows may arrive after this call. */
  selected(sessionId: number, selection: ChannelSelection): SelectedValues {
    let places: Places | undefined
    return (points) => {
      const session = this.#sessions.get(sessionId)
      if (places?.version !== (session?.version ?? 0)) places = placesOf(selection, session)
      return valuesOf(places, points)
    }
  }

  forget(sessionId: number): void {
    this.#sessions.delete(sessionId)
  }

  /** Drops the groups for which `holds` is false. */
  retain(holds: (sessionId: number, group: string, columns: ReadonlyArray<string>) => boolean): void {
    for (const [sessionId, session] of this.#sessions) {
      for (const [group, { columns }] of session.groups) {
        if (holds(sessionId, group, columns)) continue
        session.groups.delete(group)
        session.version = ++this.#versions
      }
      if (session.groups.size === 0) this.#sessions.delete(sessionId)
    }
  }

  get sessions(): number {
    return this.#sessions.size
  }

  #session(sessionId: number): SessionHistory {
    const known = this.#sessions.get(sessionId)
    if (known !== undefined) return known
    const session: SessionHistory = { groups: new Map(), version: ++this.#versions }
    this.#sessions.set(sessionId, session)
    if (this.#sessions.size > MAX_SESSIONS) {
      for (const oldest of this.#sessions.keys()) {
        this.#sessions.delete(oldest)
        break
      }
    }
    return session
  }
}
