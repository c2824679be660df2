/**
 * The files of this document that are imported: what waits, what is sent and what became of it. They go on while another page
 * is shown. Two are sent at a time, and the file with a log's laps before the log.
 */
import { signal } from "@preact/signals"
import { ApiError, api } from "../api.ts"
import type { FileImport } from "../types.ts"
import { transfer } from "./transfer.ts"

const MAX_SENT_AT_ONCE = 2

export interface Upload {
  readonly key: number
  readonly file: File
  /** `sent`: the service has it. `refused`: it does not, or it was cancelled. */
  readonly state: "waiting" | "sending" | "sent" | "refused"
  /** Bytes. */
  readonly sent: number
  readonly importId?: number | undefined
  /** Why it was refused. */
  readonly problem?: string | undefined
}

export const uploads = signal<ReadonlyArray<Upload>>([])

/** The imports of this document, as the service reported them last. */
export const imports = signal<ReadonlyMap<number, FileImport>>(new Map())

const UNFINISHED: ReadonlySet<string> = new Set(["uploading", "queued", "reading"])

/** What became of a file; undefined before the service has it. */
export const importOf = ({ importId, state }: Upload): FileImport | undefined =>
  state === "sent" && importId !== undefined ? imports.value.get(importId) : undefined

/** Whether the service had the same bytes before, from another document or from a file above. */
export const wasThere = (upload: Upload): boolean => {
  const found = importOf(upload)
  const isAbove = ({ importId, key }: Upload) => importId === found?.id && key < upload.key
  return found !== undefined && (found.batch !== batch || uploads.value.some(isAbove))
}

export const isDone = (upload: Upload): boolean => {
  const found = importOf(upload)
  return upload.state === "refused" || (found !== undefined && !UNFINISHED.has(found.state))
}

/** Whether bytes of a file are only here. */
const isSending = ({ state }: Upload) => state === "waiting" || state === "sending"

/** Also where the browser gives no randomUUID: on a host without a certificate. */
const batch = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-")

const aborts = new Map<number, AbortController>()
let keys = 0

const change = (key: number, changes: Partial<Upload>) => {
  uploads.value = uploads.value.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload))
}

const note = (found: FileImport) => {
  imports.value = new Map(imports.value).set(found.id, found)
}

let isWatched = false
/** Follows the imports of this document from the first on. */
const watch = () => {
  if (isWatched) return
  isWatched = true
  api.importChanges(batch, ({ data }) => {
    if (data.import !== null) note(data.import)
  })
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** The browser asks before it leaves the document while bytes are only here. */
const guard = () => {
  if (uploads.value.some(isSending)) addEventListener("beforeunload", ask)
  else removeEventListener("beforeunload", ask)
}

const sendNext = () => {
  guard()
  const sending = uploads.value.filter(({ state }) => state === "sending").length
  const next = uploads.value.find(({ state }) => state === "waiting")
  if (next === undefined || sending >= MAX_SENT_AT_ONCE) return
  void sendOne(next)
  sendNext()
}

const sendOne = async ({ file, key }: Upload) => {
  const abort = new AbortController()
  aborts.set(key, abort)
  change(key, { state: "sending", sent: 0, importId: undefined, problem: undefined })
  try {
    const importId = await transfer({
      file,
      batch,
      begun: (id) => change(key, { importId: id }),
      progressed: (sent) => change(key, { sent }),
      signal: abort.signal
    })
    // One of other files before, of the same bytes, is of another batch.
    if (!imports.value.has(importId)) note(await api.import(importId))
    change(key, { state: "sent", sent: file.size, importId })
  } catch (error) {
    const { message } = error instanceof ApiError ? error : { message: "The file cannot be read" }
    change(key, { state: "refused", problem: message })
  }
  aborts.delete(key)
  sendNext()
}

const isOfLaps = ({ name }: File) => name.toLowerCase().endsWith(".ldx")

export const addFiles = (files: ReadonlyArray<File>): void => {
  watch()
  const ordered = [...files].sort((a, b) => Number(isOfLaps(b)) - Number(isOfLaps(a)))
  const added = ordered.map((file): Upload => ({ key: ++keys, file, state: "waiting", sent: 0 }))
  uploads.value = [...uploads.value, ...added]
  sendNext()
}

export const sendAgain = ({ key }: Upload): void => {
  change(key, { state: "waiting", sent: 0, importId: undefined, problem: undefined })
  sendNext()
}

/** Ends a file's upload, or its import. */
export const cancel = async ({ importId, key, state }: Upload): Promise<void> => {
  if (state === "waiting") change(key, { state: "refused", problem: "It was cancelled" })
  aborts.get(key)?.abort()
  guard()
  if (importId === undefined) return
  try {
    note(await api.endImport(importId))
  } catch (error) {
    change(key, { problem: (error as ApiError).message })
  }
}
