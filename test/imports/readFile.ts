/** Reads a file as the import's thread does, in this thread, and collects what the reader gives. */
import { basename } from "node:path"
import { readerOf } from "../../src/imports/fileReaders.ts"
import type { Facts } from "../../src/imports/FileReader.ts"
import { withFile } from "../../src/imports/sourceFile.ts"
import type { GroupDeclaration } from "../../src/domain/Dictionary.ts"
import type { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"

type Of<Tag extends SimulatorEvent["_tag"]> = Extract<SimulatorEvent, { readonly _tag: Tag }>

/** A session of a file: its values by channel, each with its time, in order. */
export interface ReadSession {
  readonly started: Of<"SessionStarted">
  readonly laps: Array<Of<"LapCompleted">>
  /** By group and channel. NaN is absent. */
  readonly columns: Map<string, Map<string, Array<number>>>
}

export interface ReadFile {
  readonly format: string
  readonly sessions: ReadonlyArray<ReadSession>
  readonly groups: ReadonlyArray<GroupDeclaration>
  readonly warnings: ReadonlyArray<string>
  readonly facts: ReadonlyArray<Facts>
  readonly partial: string | undefined
  readonly duplicates: number
  readonly refused: Readonly<Record<string, number>>
}

const addRows = ({ columns }: ReadSession, { batch, group }: Of<"Rows">) => {
  let own = columns.get(group)
  if (own === undefined) columns.set(group, (own = new Map()))
  for (const channel of batch.channels) {
    let values = own.get(channel)
    if (values === undefined) own.set(channel, (values = []))
    for (const value of batch.column(channel)) values.push(value)
  }
}

/** `name`: the user's name of the file, where it is another one. Rejects with UnreadableFile as the reader throws it. */
export const readFile = async (path: string, timeZone = "UTC", name = basename(path)): Promise<ReadFile> => {
  const sessions: Array<ReadSession> = []
  const warnings: Array<string> = []
  const read = {
    format: "",
    groups: [] as Array<GroupDeclaration>,
    duplicates: 0,
    facts: [] as ReadonlyArray<Facts>
  }
  const refused: Record<string, number> = {}
  let partial: string | undefined
  for await (const piece of withFile({ path, name }, (file) => {
    const reader = readerOf(file.bytes(0, 65_536), file.size)
    read.format = reader.format
    return reader.read(file, { timeZone })
  })) {
    for (const event of piece.events) {
      if (event._tag === "SessionStarted") sessions.push({ started: event, laps: [], columns: new Map() })
      else if (event._tag === "ChannelsDeclared") read.groups.push(...event.groups)
      // The recorder refuses what is in no session.
      else if (sessions.length === 0) continue
      else if (event._tag === "LapCompleted") sessions.at(-1)!.laps.push(event)
      else if (event._tag === "Rows") addRows(sessions.at(-1)!, event)
    }
    warnings.push(...(piece.warnings ?? []))
    read.duplicates += piece.duplicates ?? 0
    for (const [reason, count] of Object.entries(piece.refused ?? {}))
      refused[reason] = (refused[reason] ?? 0) + count
    read.facts = piece.facts ?? read.facts
    partial ??= piece.partial
  }
  return { ...read, sessions, warnings, refused, partial }
}

/** The values of a channel, wherever it is. */
export const valuesOf = ({ columns }: ReadSession, channel: string): ReadonlyArray<number> => {
  for (const group of columns.values()) {
    const values = group.get(channel)
    if (values !== undefined) return values
  }
  throw new Error(
    `no channel ${channel} among ${[...columns.values()].flatMap((group) => [...group.keys()]).join(" ")}`
  )
}

/** The times at which a channel has rows. */
export const timesOf = ({ columns }: ReadSession, channel: string): ReadonlyArray<number> => {
  for (const group of columns.values()) if (group.has(channel)) return group.get("timestamp")!
  throw new Error(`no channel ${channel}`)
}
