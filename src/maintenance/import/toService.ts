/** Sends files to a service that runs, by its API, and waits for what becomes of them. */
import { randomUUID } from "node:crypto"
import { openAsBlob, readdirSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import { Duration, Effect, Schedule, Schema } from "effect"
import { FileImport } from "../../domain/FileImport.ts"
import { fromWire } from "../../platform/wire.ts"
import { request, ServiceAway, ServiceRefused, type Target } from "../service.ts"
import { FileUnreadable, found, type FoundFile } from "./files.ts"
import { importsIn } from "./knownImports.ts"
import { logOf, MAX_IMPORTS, noLog } from "./laterLaps.ts"

/** The first piece: the format is recognised by it, so that no file that is refused is sent whole. */
const FIRST_BYTES = 2 ** 20

const UNFINISHED = new Set(["uploading", "queued", "reading"])

const again = { times: 30, schedule: Schedule.spaced("2 seconds") }

const decode = Schema.decodeUnknown(fromWire(FileImport))

const importIn = (answer: Response) =>
  Effect.orDie(
    Effect.flatMap(
      Effect.promise(() => answer.json()),
      decode
    )
  )

const read = (target: Target, id: number) => Effect.flatMap(request(target, `/imports/${id}`, {}), importIn)

/** Sends the bytes that the service lacks. Succeeds with the number of the import, which is another one for the same bytes. */
const sendRest = (target: Target, id: number, bytes: Blob) =>
  Effect.gen(function* () {
    const head = yield* request(target, `/imports/${id}`, { method: "HEAD" })
    const offset = Number(head.headers.get("upload-offset"))
    const answer = yield* request(target, `/imports/${id}`, {
      method: "PATCH",
      body: bytes.slice(offset),
      headers: { "upload-offset": String(offset) }
    })
    if (answer.status === 409) return yield* new ServiceAway(target)
    return Number(/\d+$/.exec(answer.headers.get("location") ?? "")?.[0] ?? id)
  }).pipe(Effect.retry({ ...again, while: ({ _tag }) => _tag === "ServiceAway" }))

const bytesOf = ({ path }: FoundFile) =>
  Effect.tryPromise({
    try: () => openAsBlob(path),
    catch: (cause) => new FileUnreadable({ path, cause })
  })

const refused = (sentence: string) => new ServiceRefused({ sentence, isFinal: false })

/** Sends an `.ldx` file to the import of its log, which was imported before. Succeeds with that import. */
export const cutBy = Effect.fn("import.cutBy")(function* (target: Target, file: FoundFile) {
  const imports = yield* importsIn(yield* request(target, `/imports?limit=${MAX_IMPORTS}`, {}))
  const log = logOf(imports, file)
  if (log === undefined) return yield* refused(noLog(file))
  const query = new URLSearchParams({ name: file.name, of: String(log.id) })
  const answer = yield* request(target, `/imports?${query}`, { method: "POST", body: yield* bytesOf(file) })
  if (answer.status !== 409) return yield* importIn(answer)
  const { detail } = (yield* Effect.promise(() => answer.json())) as { readonly detail: string }
  return yield* refused(detail)
})

const sendFile = Effect.fnUntraced(function* (
  target: Target,
  file: FoundFile,
  options: Readonly<Record<string, string | undefined>>
) {
  const bytes = yield* bytesOf(file)
  const query = new URLSearchParams({
    name: file.name,
    size: String(file.size),
    modified: String(file.modified)
  })
  for (const [name, value] of Object.entries(options)) if (value !== undefined) query.set(name, value)
  const begun = yield* request(target, `/imports?${query}`, {
    method: "POST",
    body: bytes.slice(0, FIRST_BYTES)
  }).pipe(Effect.retry({ ...again, while: ({ _tag }) => _tag === "ServiceAway" }))
  const added = yield* importIn(begun)
  if (begun.status === 200) return { id: added.id, isSame: true }
  const id = added.state === "uploading" ? yield* sendRest(target, added.id, bytes) : added.id
  return { id, isSame: id !== added.id }
})

/** The file that a MoTeC log has its laps in. */
const companionOf = ({ name, path }: FoundFile): FoundFile | undefined => {
  if (extname(name).toLowerCase() !== ".ld") return undefined
  const wanted = `${basename(name, extname(name))}.ldx`.toLowerCase()
  const companion = readdirSync(dirname(path)).find((other) => other.toLowerCase() === wanted)
  return companion === undefined ? undefined : found(join(dirname(path), companion))
}

/** Sends one file, and waits until it was imported. `isSame`: its bytes were imported before. */
export const sendTo = Effect.fn("import.sendTo")(function* (
  target: Target,
  file: FoundFile,
  options: Readonly<Record<string, string | undefined>>
) {
  const companion = companionOf(file)
  const batch = companion === undefined ? undefined : randomUUID()
  if (companion !== undefined) yield* sendFile(target, companion, { batch })
  const { id, isSame } = yield* sendFile(target, file, { ...options, batch })
  const done = yield* read(target, id).pipe(
    Effect.retry({ ...again, while: ({ _tag }) => _tag === "ServiceAway" }),
    Effect.delay(Duration.millis(200)),
    Effect.repeat({ until: ({ state }) => isSame || !UNFINISHED.has(state) })
  )
  return { done, isSame }
})
