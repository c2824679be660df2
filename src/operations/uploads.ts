/**
 * Operations that take the bytes of a file: a new one, and the rest of one whose upload broke. Bytes go to the folder of
 * uploads as they arrive; everything else about an import is done by the process that imports (ImportCommands).
 */
import { Cause, Effect, Exit, Schema } from "effect"
import {
  ImportNotFound,
  InvalidValue,
  LapsNotCut,
  NoRoomForUpload,
  SessionBeingRecorded,
  StoreUnavailable,
  TooManyImports,
  TooManyUploads,
  UnknownFormat,
  UploadComplete,
  UploadElsewhere,
  UploadTooLarge
} from "../domain/errors.ts"
import { FileImport } from "../domain/FileImport.ts"
import { UnreadableFile } from "../imports/FileReader.ts"
import { ImportCommands } from "../imports/ImportCommands.ts"
import { isTimeZone } from "../imports/tables/localTime.ts"
import { Arriving, hashOfBegin, headOf, receive } from "../imports/uploads/receive.ts"
import { notKept, UploadFolder } from "../imports/uploads/UploadFolder.ts"
import { FileImports } from "../store/FileImports.ts"
import { flag, ImportId, name, text, time, wholeNumber } from "./fields.ts"
import { answered } from "./operation.ts"

const GIB = 2 ** 30

/** The file, and as much again for what is made of it; and this for everything else on the disk. */
const SPARE_BYTES = GIB / 4

const MAX_NAME_BYTES = 255

/** The last part of a path, as any system writes it, without control characters. It is a label, and never a path. */
export const labelOf = (given: string): string =>
  given
    .split(/[/\\]/)
    .at(-1)!
    // oxlint-disable-next-line no-control-regex -- these are what is removed
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "")
    .trim()

/** Loaded with the first upload: a service that imports nothing has no reader in memory. */
const readers = Effect.promise(() => import("../imports/fileReaders.ts"))

interface Receiving {
  readonly id: number
  readonly file: Arriving
  readonly offset: number
  /** Undefined if only the end of the body tells it. */
  readonly size: number | undefined
}

const unknown = (error: unknown) =>
  error instanceof UnreadableFile ? new UnknownFormat({ reason: error.reason }) : notKept(error)

/** Takes the bytes. Succeeds with the import, which waits to be read if all of it is here, and else for the rest. */
const take = Effect.fnUntraced(function* ({ file, id, offset, size }: Receiving) {
  const folder = yield* UploadFolder
  const { change } = yield* ImportCommands
  const { formatOf } = yield* readers
  const limit = Math.min(size ?? folder.max, folder.max)
  const isLast = size === undefined || file.length === undefined || offset + file.length >= size
  const { handle, wanted } = yield* folder.open(id)
  const here = (yield* Effect.tryPromise({ try: () => handle.stat(), catch: notKept })).size
  if (here !== offset) return yield* new UploadElsewhere({ offset: here })
  // An upload that cannot be the last needs no hash: the last one reads what is there.
  const hash = isLast
    ? yield* Effect.tryPromise({ try: () => hashOfBegin(handle, offset), catch: notKept })
    : undefined
  const { end, received } = yield* Effect.raceFirst(
    Effect.tryPromise({
      try: (signal) =>
        receive(
          {
            handle,
            bytes: file.bytes,
            from: offset,
            limit,
            hash,
            checkHead: (head) => void formatOf(head, size ?? Infinity)
          },
          signal
        ),
      catch: unknown
    }),
    Effect.zipRight(wanted, Effect.fail(new UploadElsewhere({ offset })))
  )
  if (end === "over") {
    return yield* size === undefined || size > folder.max
      ? new UploadTooLarge({ limit: folder.max })
      : new InvalidValue({ name: "size", value: size, expected: "the number of the file's bytes" })
  }
  const isComplete = received === size || (size === undefined && end === "complete")
  if (!isComplete || hash === undefined) {
    // Without a size nobody could tell when the rest is here.
    if (size === undefined) return yield* Effect.interrupt
    return { ...(yield* (yield* FileImports).fileImport(id)), received }
  }
  const format = yield* Effect.tryPromise({
    try: async () => {
      const found = formatOf(await headOf(handle), received)
      // What is acknowledged must outlast the machine.
      await handle.datasync()
      return found
    },
    catch: unknown
  })
  return yield* change({ type: "uploaded", id, size: received, sha256: hash.digest("hex"), format })
}, Effect.scoped)

/** Takes the bytes. An import whose upload fails for good is forgotten; one that was cut off stays if the rest can come. */
const takeOrDrop = (receiving: Receiving) =>
  take(receiving).pipe(
    Effect.onExit((exit) => {
      const { id, size } = receiving
      const isKept =
        Exit.isSuccess(exit) ||
        (size !== undefined && Cause.isInterrupted(exit.cause)) ||
        (exit.cause._tag === "Fail" && exit.cause.error instanceof UploadElsewhere)
      return isKept
        ? Effect.void
        : Effect.flatMap(ImportCommands, ({ change }) => Effect.ignoreLogged(change({ type: "drop", id })))
    })
  )

const misfit = (field: string, value: string, expected: string) =>
  new InvalidValue({ name: field, value, expected })

const checkRoom = Effect.fnUntraced(function* (size: number) {
  const { free, max } = yield* UploadFolder
  if (size > max) return yield* new UploadTooLarge({ limit: max })
  const needed = 2 * size + SPARE_BYTES
  const there = yield* free
  if (there !== undefined && there < needed) return yield* new NoRoomForUpload({ needed, free: there })
})

const ofUploads = [
  UploadTooLarge,
  UnknownFormat,
  NoRoomForUpload,
  TooManyUploads,
  InvalidValue,
  ImportNotFound,
  LapsNotCut,
  SessionBeingRecorded,
  StoreUnavailable
] as const

const File = Schema.instanceOf(Arriving)

const optionalName = (what: string) => Schema.optional(name(`${what}, if the file names none`))

export const upload = answered({
  input: Schema.Struct({
    name: text("The name of the file; of a path, its last part counts"),
    size: Schema.optional(
      wholeNumber(
        0,
        Number.MAX_SAFE_INTEGER,
        "Bytes of the whole file, so that an upload can go on after it broke"
      )
    ),
    modified: time("When the file was changed last, for formats that have no date"),
    circuit: optionalName("Circuit"),
    vehicle: optionalName("Vehicle"),
    driver: optionalName("Driver"),
    timeZone: Schema.optional(text("Zone of local times, such as Europe/Berlin; by default the service's")),
    batch: Schema.optional(
      text(
        "Files that are uploaded together: 1 to 64 letters, digits and -. A .ld waits for the .ldx of its batch"
      )
    ),
    again: Schema.optional(flag("Also if the same bytes were imported before")),
    of: Schema.optional(
      wholeNumber(1, Number.MAX_SAFE_INTEGER, "The import of a MoTeC log whose laps this .ldx file cuts anew")
    ),
    file: File
  }),
  answer: FileImport,
  errors: [...ofUploads, TooManyImports, UploadElsewhere],
  run: ({ batch, file, name: given, size: said, ...options }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const folder = yield* UploadFolder
        const { change } = yield* ImportCommands
        const label = labelOf(given)
        if (label === "" || Buffer.byteLength(label) > MAX_NAME_BYTES) {
          return yield* misfit("name", given, `the name of a file, of at most ${MAX_NAME_BYTES} bytes`)
        }
        if (batch !== undefined && !/^[A-Za-z0-9-]{1,64}$/.test(batch)) {
          return yield* misfit("batch", batch, "1 to 64 letters, digits and -")
        }
        if (options.timeZone !== undefined && !isTimeZone(options.timeZone)) {
          return yield* misfit(
            "time_zone",
            options.timeZone,
            "the name of a time zone, such as Europe/Berlin"
          )
        }
        // Refused before a byte of it is here.
        if (options.of !== undefined) yield* (yield* FileImports).fileImport(options.of)
        const size = said ?? file.length
        yield* checkRoom(size ?? 0)
        yield* folder.enter
        const { id } = yield* change({ type: "add", name: label, size: size ?? 0, batch, options })
        return yield* takeOrDrop({ id, file, offset: 0, size })
      })
    )
})

export const resume = answered({
  input: Schema.Struct({
    importId: ImportId,
    offset: wholeNumber(0, Number.MAX_SAFE_INTEGER, "The position of the first byte that is sent"),
    file: File
  }),
  answer: FileImport,
  errors: [...ofUploads, UploadComplete, UploadElsewhere, TooManyImports],
  run: ({ file, importId: id, offset }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const folder = yield* UploadFolder
        const { size, state } = yield* (yield* FileImports).fileImport(id)
        if (state !== "uploading") return yield* new UploadComplete({ importId: id })
        yield* checkRoom(size - offset)
        yield* folder.enter
        return yield* takeOrDrop({ id, file, offset, size })
      })
    )
})
