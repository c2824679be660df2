/**
 * The web pages: the files of `web/dist`, which `npm run build` makes from `web/`. Only paths that are pages get the
 * page's file; every other path stays unknown to the router, and is answered 404.
 *
 * For each file except documents, the build has added a compressed file for each coding that makes it smaller
 * (web/precompressed.ts).
 */
import { createHash } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import { dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { negotiated } from "../accept.ts"
import type { App } from "../App.ts"
import { BasePath, withBase } from "../guard/BasePath.ts"
import { type Coding, codingFor, codings } from "../coding.ts"
import type { ServerRoute } from "../routing.ts"
import { applicationPages, overlayPaths } from "./pagePaths.ts"

/**
 * Pages load nothing from other hosts, and contain no inline script or style. `'self'` in connect-src covers the
 * WebSocket of the same host (CSP 3, 6.7.2.8).
 */
const policy = (ancestors: string) =>
  `default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`

/** A page that can connect and delete must not be framed by another site; an overlay only shows. */
const OWN_FRAMES = policy("'self'")
const ANY_FRAME = policy("*")

/** The names of assets contain a hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
}

/** The file extension of each coding, as the build writes it. */
const endings: Readonly<Record<Coding, string>> = { br: ".br", gzip: ".gz" }

/** `web/dist` in the project's folder, which is one folder up from the sources and two from the build. */
const builtPages = (): string => {
  const above = (folder: string): string => {
    const parent = dirname(folder)
    return existsSync(join(folder, "package.json")) || parent === folder ? folder : above(parent)
  }
  return join(above(dirname(fileURLToPath(import.meta.url))), "web", "dist")
}

/**
 * An ETag of the content. Another build's page may have the same size and time, as in an archive, and name other
 * assets.
 */
const etagOf = (bytes: Uint8Array): string => `"${createHash("sha256").update(bytes).digest("base64url")}"`

const opaque = (tag: string) => tag.trim().replace(/^W\//, "")

/** RFC 9110, 13.1.2: the comparison is weak. */
const isKnown = (known: string | undefined, etag: string) =>
  known !== undefined && known.split(",").map(opaque).includes(opaque(etag))

type Headers = Readonly<Record<string, string>>

/** Sends a document, which is some hundreds of bytes. */
const sendDocument = (text: string, headers: Headers) => {
  const bytes = Buffer.from(text)
  const etag = etagOf(bytes)
  const type = types[".html"]!
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* negotiated([type])
    return isKnown(request.headers["if-none-match"], etag)
      ? HttpServerResponse.empty({ status: 304, headers: { ...headers, etag } })
      : HttpServerResponse.uint8Array(bytes, { contentType: type, headers: { ...headers, etag } })
  })
}

/** Sends a built file in the coding that the client prefers, as a stream, because a client may read it slowly. */
const send = (path: string, more: Headers) => {
  const type = types[extname(path)]!
  const coded = codings.filter((coding) => existsSync(path + endings[coding]))
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* negotiated([type])
    const coding = codingFor(request.headers["accept-encoding"], coded)
    const file = coding === undefined ? path : path + endings[coding]
    const bytes = yield* (yield* FileSystem.FileSystem).readFile(file)
    const etag = etagOf(bytes)
    const headers = {
      ...more,
      etag,
      ...(coded.length === 0 ? {} : { vary: "Accept-Encoding" })
    }
    if (isKnown(request.headers["if-none-match"], etag)) {
      return HttpServerResponse.empty({ status: 304, headers })
    }
    const ofContent = {
      ...headers,
      "content-type": type,
      "content-length": String(bytes.length),
      ...(coding === undefined ? {} : { "content-encoding": coding })
    }
    return request.method === "HEAD"
      ? HttpServerResponse.empty({ status: 200, headers: ofContent })
      : HttpServerResponse.raw(createReadStream(file), { headers: ofContent })
    // If a built file cannot be read, it is not the request's fault, so this is a defect.
  }).pipe(Effect.orDie)
}

const ofPages = (contentSecurityPolicy: string) => ({
  "cache-control": "no-cache",
  "content-security-policy": contentSecurityPolicy
})

/** The document with its paths as the proxy serves them. */
const documentIn = Effect.fnUntraced(function* (folder: string, file: string) {
  const text = yield* (yield* FileSystem.FileSystem).readFileString(join(folder, file))
  return withBase(yield* BasePath, text)
})

const route = (path: ServerRoute["path"], answer: App): ServerRoute => ({
  method: "GET",
  path,
  handler: () => answer
})

/** Without a build (types only, tests of the API) there are no pages, and no routes for them. */
export const routes = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = builtPages()
  if (!(yield* files.exists(join(folder, "index.html")))) return []
  const page = (file: string, contentSecurityPolicy: string) =>
    Effect.map(documentIn(folder, file), (text) => sendDocument(text, ofPages(contentSecurityPolicy)))
  const overlay = yield* page("overlay.html", ANY_FRAME)
  const documents = yield* Effect.forEach(applicationPages, ([path, file]) =>
    Effect.map(page(file, OWN_FRAMES), (answer) => route(path, answer))
  )
  const assets = yield* files.readDirectory(join(folder, "assets"))
  return [
    ...documents,
    ...overlayPaths.map((path) => route(path, overlay)),
    route("/docs", yield* page("docs.html", OWN_FRAMES)),
    route("/favicon.svg", send(join(folder, "favicon.svg"), { "cache-control": "no-cache" })),
    ...assets
      .filter((file) => types[extname(file)] !== undefined)
      .map((file) =>
        route(`/assets/${file}`, send(join(folder, "assets", file), { "cache-control": IMMUTABLE }))
      )
  ]
}).pipe(Effect.orDie)

/** The page that a browser gets if nothing was found; undefined without a build. */
export const notFound = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = builtPages()
  if (!(yield* files.exists(join(folder, "not-found.html")))) return undefined
  return HttpServerResponse.text(yield* documentIn(folder, "not-found.html"), {
    status: 404,
    contentType: types[".html"]!,
    headers: ofPages(OWN_FRAMES)
  })
}).pipe(Effect.orDie)
