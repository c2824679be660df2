/** What an import would make of a file. It is read to its end, and nothing of it is stored. */
import { Console, Effect, Either } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { channels } from "../../domain/pointChannels.ts"
import type { ImportOptions } from "../../domain/FileImport.ts"
import type { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { readerOf } from "../../imports/fileReaders.ts"
import { HEAD_BYTES, UnreadableFile } from "../../imports/FileReader.ts"
import { withFile } from "../../imports/sourceFile.ts"
import type { FoundFile } from "./files.ts"
import { plural } from "./plural.ts"

type Started = Extract<SimulatorEvent, { readonly _tag: "SessionStarted" }>

interface SessionInFile {
  readonly started: Started
  laps: number
}

/** What a file holds. */
interface Sighting {
  readonly format: string
  readonly sessions: ReadonlyArray<SessionInFile>
  readonly rows: number
  /** The channels of the points, and those that the file declares besides. */
  readonly channels: number
  readonly warnings: ReadonlyArray<string>
  readonly partial: string | undefined
}

const sight = async (file: FoundFile, timeZone: string): Promise<Sighting> => {
  const sessions: Array<SessionInFile> = []
  const warnings: Array<string> = []
  const declared = new Set<string>()
  const found = { format: "", rows: 0, partial: undefined as string | undefined }
  const take = (event: SimulatorEvent) => {
    if (event._tag === "SessionStarted") sessions.push({ started: event, laps: 0 })
    else if (event._tag === "LapCompleted" && sessions.length > 0) sessions.at(-1)!.laps++
    else if (event._tag === "Rows" && sessions.length > 0) found.rows += event.batch.length
    else if (event._tag === "ChannelsDeclared") {
      for (const { channels: names, name } of event.groups)
        for (const one of names) declared.add(`${name} ${one.name}`)
    }
    if (event._tag === "Rows" && event.group === POINTS) {
      // A batch has a column for each channel of the points, whether the file has it or not.
      for (const name of channels)
        if (name !== "timestamp" && !isAbsent(event.batch.column(name))) declared.add(name)
    }
  }
  const pieces = withFile(file, (source) => {
    const reader = readerOf(source.bytes(0, HEAD_BYTES), source.size)
    found.format = reader.format
    return reader.read(source, { timeZone })
  })
  for await (const { events, partial, warnings: said = [] } of pieces) {
    events.forEach(take)
    warnings.push(...said)
    found.partial ??= partial
  }
  return { ...found, sessions, warnings, channels: declared.size }
}

const isAbsent = (values: Float64Array): boolean => values.every(Number.isNaN)

/** Left: why the file would be refused. */
const sighted = (file: FoundFile, timeZone: string): Effect.Effect<Either.Either<Sighting, string>> =>
  Effect.promise(async () => {
    try {
      const found = await sight(file, timeZone)
      const isAny = found.sessions.length > 0 && found.rows > 0
      return isAny ? Either.right(found) : Either.left(found.partial ?? "The file has no rows")
    } catch (error) {
      if (error instanceof UnreadableFile) return Either.left(error.reason)
      throw error
    }
  })

interface Given extends Pick<ImportOptions, "circuit" | "vehicle" | "driver"> {
  readonly timeZone?: string | undefined
}

/** Prints what an import would make of the file. Succeeds with whether it would not be refused. */
export const look = Effect.fnUntraced(function* (
  file: FoundFile,
  { circuit, driver, timeZone = "UTC", vehicle }: Given
) {
  const found = yield* sighted(file, timeZone)
  if (Either.isLeft(found)) {
    yield* Console.log(`${file.path}: refused: ${found.left}`)
    return false
  }
  const { channels, format, partial, rows, sessions, warnings } = found.right
  const counts = [plural(sessions.length, "session"), plural(rows, "row"), plural(channels, "channel")]
  const lines = sessions.map(({ laps, started }) => {
    const names = [circuit ?? started.circuit, vehicle ?? started.vehicle, driver ?? started.driver]
    const said = started.tellsLaps === true ? plural(laps, "lap") : "laps as the service finds them"
    return `  ${names.map((one) => (one === "" ? "unknown" : one)).join(", ")}: ${said}`
  })
  yield* Console.log(
    [
      `${file.path}: ${format}, ${counts.join(", ")}${partial === undefined ? "" : `; partial: ${partial}`}`,
      ...lines,
      ...warnings.map((warning) => `  ${warning}`)
    ].join("\n")
  )
  return true
})
