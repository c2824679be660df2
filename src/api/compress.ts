/**
 * Compresses answers of text in a coding that the client asks for: answers of known length from MIN_BYTES on, and
 * answers that are streamed. Files that the build has compressed already (pages.ts), server-sent events and WebSockets
 * pass unchanged.
 *
 * Guarantees. No piece of a stream waits for the next one: the coder is flushed after each. The next piece is requested
 * when the connection has taken the one before, so that memory does not grow with the answer. An answer that breaks off
 * midway lacks the end that its coding demands. The system's threads do the coding, so that it takes no time from live
 * clients.
 */
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Chunk, Effect, Stream } from "effect"
import type { Middleware } from "./App.ts"
import { type Coding, codingFor } from "./coding.ts"
import { withRequest } from "./withRequest.ts"

/** A shorter answer fits into one packet with its headers. */
const MIN_BYTES = 1024

/** The fastest level of each coding: more effort takes 2 to 9 times the CPU, for 2 to 16 % fewer bytes of telemetry. */
const GZIP = { level: constants.Z_BEST_SPEED }
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    // 256 KiB of memory; a larger window saves no more bytes at this quality.
    [constants.BROTLI_PARAM_LGWIN]: 18
  }
}

/** The size that most compressed pieces stay under: each output buffer costs a thread's turn and an HTTP chunk. */
const CHUNK_BYTES = 65_536

const streams = {
  br: () =>
    createBrotliCompress({
      ...BROTLI,
      flush: constants.BROTLI_OPERATION_FLUSH,
      chunkSize: CHUNK_BYTES
    }),
  gzip: () => createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES })
}

const whole = (coding: Coding, bytes: Uint8Array): Effect.Effect<Buffer> =>
  Effect.async((resume) => {
    const done = (error: Error | null, coded: Buffer) =>
      resume(error === null ? Effect.succeed(coded) : Effect.die(error))
    if (coding === "br") brotliCompress(bytes, BROTLI, done)
    else gzip(bytes, GZIP, done)
  })

/** Gives a compressed piece for each piece of text, and the end of the coding when the text has ended. */
const inPieces =
  (coding: Coding) =>
  <E, R>(text: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Effect.acquireRelease(Effect.sync(streams[coding]), (coder) => Effect.sync(() => coder.destroy())).pipe(
      Effect.map((coder) => {
        let coded: Array<Uint8Array> = []
        coder.on("data", (bytes: Buffer) => coded.push(bytes))
        // The waiting effect gets the error too.
        coder.on("error", () => undefined)
        const take = Effect.sync(() => {
          const taken = coded
          coded = []
          return Chunk.unsafeFromArray(taken)
        })
        const write = (piece: Uint8Array) =>
          Effect.async<Chunk.Chunk<Uint8Array>>((resume) => {
            coder.write(piece, (error) => resume(error ? Effect.die(error) : take))
          })
        const end = Effect.async<Chunk.Chunk<Uint8Array>>((resume) => {
          coder.once("end", () => resume(take)).once("error", (error) => resume(Effect.die(error)))
          coder.end()
        })
        return Stream.mapEffect(text, write).pipe(Stream.concat(Stream.fromEffect(end)), Stream.flattenChunks)
      }),
      Stream.unwrapScoped
    )

/** Whether the type is text to be compressed. The only other text is events, which are sent one by one. */
const isText = (type: string | undefined) =>
  type !== undefined && /^(?:text\/(?!event-stream)|application\/(?:x-nd)?json)/.test(type)

const isWorthIt = ({ body, headers }: HttpServerResponse.HttpServerResponse) =>
  isText(headers["content-type"]) &&
  headers["content-encoding"] === undefined &&
  (body._tag === "Stream" || (body._tag === "Uint8Array" && body.contentLength > MIN_BYTES))

const varying = ({ headers: { vary } }: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setHeader("vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`)

const coded = (
  { body, headers }: HttpServerResponse.HttpServerResponse,
  coding: Coding
): Effect.Effect<HttpBody.HttpBody> => {
  const type = headers["content-type"]
  return body._tag === "Stream"
    ? Effect.succeed(HttpBody.stream(inPieces(coding)(body.stream), type))
    : Effect.map(whole(coding, (body as HttpBody.Uint8Array).body), (bytes) =>
        HttpBody.uint8Array(bytes, type)
      )
}

export const compress: Middleware = (app) =>
  withRequest(({ headers }) =>
    Effect.flatMap(app, (response) => {
      if (!isWorthIt(response)) return Effect.succeed(response)
      const varied = varying(response)(response)
      const coding = codingFor(headers["accept-encoding"])
      if (coding === undefined) return Effect.succeed(varied)
      return Effect.map(coded(response, coding), (body) =>
        HttpServerResponse.setHeader(HttpServerResponse.setBody(varied, body), "content-encoding", coding)
      )
    })
  )
