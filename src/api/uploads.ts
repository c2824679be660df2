/**
 * Requests whose body is a file: they may be larger than other bodies, and may take longer. A slow client keeps a socket, a
 * piece of the file and nothing else.
 */
import type { IncomingMessage } from "node:http"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Either } from "effect"
import { shown } from "../domain/messages.ts"
import { Arriving } from "../imports/uploads/receive.ts"
import { RequestMisfit, UPLOAD_OFFSET } from "./problems.ts"

/** A client that sends nothing for so long is taken as gone; it can go on later. */
const SILENT_MS = 60_000

/** The rest of a file that is not wanted is read for a client that cannot read its answer before; at most this much. */
const READ_ON_BYTES = 64 * 1_048_576
const READ_ON_MS = 30_000

const UPLOADS = /^\/api\/v1\/imports(?:\/[^/?]+)?(?:\?|$)/

/** Whether the body of a request is a file. */
export const isUpload = ({
  method,
  url
}: {
  readonly method?: string | undefined
  readonly url?: string | undefined
}): boolean => (method === "POST" || method === "PATCH") && UPLOADS.test(url ?? "")

/** The file in a request. */
const fileIn = (request: HttpServerRequest.HttpServerRequest): Arriving => {
  const incoming = NodeHttpServerRequest.toIncomingMessage(request)
  incoming.setTimeout(SILENT_MS, () => incoming.destroy())
  const length = request.headers["content-length"]
  return new Arriving(
    // The connection stays for the answer if the rest is not wanted.
    { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) },
    length === undefined ? undefined : Number(length)
  )
}

/** The position of the body's first byte in the file. */
const offsetIn = (request: HttpServerRequest.HttpServerRequest): Either.Either<number, RequestMisfit> => {
  const given = request.headers[UPLOAD_OFFSET]
  const offset = Number(given)
  return given !== undefined && /^\d+$/.test(given) && Number.isSafeInteger(offset)
    ? Either.right(offset)
    : Either.left(
        new RequestMisfit({
          sentence:
            given === undefined
              ? "The header Upload-Offset is missing"
              : `The header Upload-Offset must be a number of bytes, got ${shown(given)}`
        })
      )
}

/** The fields of an input that a file gives: its bytes, and the position of the first, if it has a field. */
export const fileInput = (
  { field, offset }: { readonly field: string; readonly offset?: string },
  request: HttpServerRequest.HttpServerRequest
): Either.Either<Readonly<Record<string, unknown>>, RequestMisfit> =>
  offset === undefined
    ? Either.right({ [field]: fileIn(request) })
    : Either.map(offsetIn(request), (first) => ({ [field]: fileIn(request), [offset]: first }))

/** Reads and discards the rest of a file while its answer is sent, and closes the connection if it is long. */
export const discardRest = (incoming: IncomingMessage): void => {
  if (incoming.complete || incoming.destroyed) return
  let bytes = 0
  const end = () => incoming.destroy()
  const timer = setTimeout(end, READ_ON_MS)
  timer.unref()
  incoming.once("close", () => clearTimeout(timer))
  incoming.once("error", end)
  incoming.on("data", (piece: Buffer) => {
    bytes += piece.length
    if (bytes > READ_ON_BYTES) end()
  })
  incoming.resume()
}
