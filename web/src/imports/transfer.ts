/**
 * Sends one file to the service: its first piece, by which the service recognises it, and then the rest. After a broken
 * connection it goes on where the service has it.
 */
import { ApiError } from "../api.ts"
import { at } from "../base.ts"
import { isTokenWanted, token } from "../token.ts"

/** No file that is refused is sent whole. */
const FIRST_BYTES = 256 * 1024
/** Pause before the rest is tried again, and how often. */
const PAUSE_MS = 2000
const MAX_TRIES = 60

export interface Transfer {
  readonly file: File
  readonly batch: string
  /** The number of the import, as soon as there is one. */
  readonly begun: (importId: number) => void
  /** Bytes that were sent. */
  readonly progressed: (bytes: number) => void
  readonly signal: AbortSignal
}

interface Sent {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly text: string
}

/** Fetch does not tell the progress of what it sends. Fails with status 0 if the service does not answer. */
const send = (
  method: string,
  path: string,
  { body, offset, progressed, signal }: { body?: Blob; offset?: number } & Partial<Transfer>
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, at(`/api/v1/imports${path}`))
    const given = token()
    if (given !== undefined) request.setRequestHeader("authorization", `Bearer ${given}`)
    if (offset !== undefined) request.setRequestHeader("upload-offset", String(offset))
    request.upload.addEventListener("progress", ({ loaded }) => progressed?.((offset ?? 0) + loaded))
    request.addEventListener("load", () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText
      })
    )
    request.addEventListener("error", () => reject(new ApiError(0, "The service does not answer")))
    request.addEventListener("abort", () => reject(new ApiError(0, "It was cancelled")))
    signal?.addEventListener("abort", () => request.abort(), { once: true })
    request.send(body)
  })

const problemOf = ({ status, text }: Sent): ApiError => {
  if (status === 401) isTokenWanted.value = true
  try {
    return new ApiError(status, (JSON.parse(text) as { readonly detail: string }).detail)
  } catch {
    return new ApiError(status, `The service answered ${status}`)
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

/** Whether the same request may succeed a little later. */
const mayPass = (status: number) => status === 0 || status === 429 || status === 503

/** Tries again while the service is away or has no room. */
const persistently = async (attempt: () => Promise<Sent>, signal: AbortSignal): Promise<Sent> => {
  for (let tries = 1; ; tries++) {
    let failure: ApiError
    try {
      const sent = await attempt()
      if (sent.status < 400 || sent.status === 409) return sent
      failure = problemOf(sent)
    } catch (error) {
      failure = error as ApiError
    }
    if (signal.aborted || !mayPass(failure.status) || tries === MAX_TRIES) throw failure
    await pause()
  }
}

/** Succeeds with the number of the import: another than the one that was begun if the same bytes were imported before. */
export const transfer = async ({ batch, begun, file, progressed, signal }: Transfer): Promise<number> => {
  const query = new URLSearchParams({
    name: file.name,
    size: String(file.size),
    modified: String(file.lastModified / 1000),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    batch
  })
  const first = file.slice(0, FIRST_BYTES)
  const added = await persistently(() => send("POST", `?${query}`, { body: first, signal }), signal)
  const { id, state } = JSON.parse(added.text) as { readonly id: number; readonly state: string }
  begun(id)
  if (state !== "uploading") return id
  let importId = id
  let offset = Number(added.header("upload-offset"))
  while (offset < file.size) {
    const sent = await persistently(async () => {
      const from = offset
      try {
        return await send("PATCH", `/${id}`, { body: file.slice(from), offset: from, progressed, signal })
      } catch (error) {
        // What came before the connection broke is there.
        if (!signal.aborted)
          offset = Number((await send("HEAD", `/${id}`, { signal })).header("upload-offset"))
        throw error
      }
    }, signal)
    offset = Number(sent.header("upload-offset"))
    importId = Number(/\d+$/.exec(sent.header("location") ?? "")?.[0] ?? id)
    progressed(offset)
  }
  return importId
}
