/**
 * The web pages: the files of `web/dist`, which `npm run build` makes from `web/`. Only paths that are pages get
 * the page's file; everything else stays unknown to the router, and is answered 404 in JSON like any other path.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"

/** Paths of the application; what a page shows is decided in the browser. */
const applicationPaths = [
  "/",
  "/sessions",
  "/sessions/:session_id(^\\d+$)",
  "/compare",
  "/statistics",
  "/overlays",
  "/settings"
] as const

const overlays = ["gauges", "pedals", "map", "timer", "sectors", "board"]

/**
 * Nothing from elsewhere is loaded or asked, and no script or style stands in the page itself. `'self'` in
 * connect-src covers the WebSocket of the same host (CSP 3, 6.7.2.8).
 */
const policy = (ancestors: string) =>
  `default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`

/** A page that connects and deletes must not be framed by another; an overlay only shows. */
const OWN_FRAMES = policy("'self'")
const ANY_FRAME = policy("*")

/** Names of assets hold a hash of what is in them. */
const IMMUTABLE = "public, max-age=31536000, immutable"

/** `web/dist` in the project's folder, which is one folder up from the sources and two from the build. */
const builtPages = (): string => {
  const above = (folder: string): string => {
    const parent = dirname(folder)
    return existsSync(join(folder, "package.json")) || parent === folder ? folder : above(parent)
  }
  return join(above(dirname(fileURLToPath(import.meta.url))), "web", "dist")
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, "")

/** RFC 9110, 13.1.2: weakly compared. */
const isKnown = (known: string | undefined, etag: string | undefined) =>
  known !== undefined && etag !== undefined && known.split(",").map(opaque).includes(opaque(etag))

const send = (path: string, headers: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const response = yield* HttpServerResponse.file(path, {
      headers: { "x-content-type-options": "nosniff", ...headers }
    })
    const { etag } = response.headers
    return isKnown(request.headers["if-none-match"], etag)
      ? HttpServerResponse.empty({ status: 304, headers: { ...headers, etag: etag! } })
      : response
    // A built file that cannot be read is nothing that a request could be blamed for.
  }).pipe(Effect.orDie)

const page = (folder: string, file: string, contentSecurityPolicy: string) =>
  send(join(folder, file), {
    "cache-control": "no-cache",
    "content-security-policy": contentSecurityPolicy,
    "referrer-policy": "no-referrer"
  })

/** Without a build (types only, tests of the API) there are no pages, and no route for any. */
export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = builtPages()
    if (!(yield* files.exists(join(folder, "index.html")))) return
    for (const path of applicationPaths) yield* router.get(path, page(folder, "index.html", OWN_FRAMES))
    for (const name of overlays) {
      yield* router.get(`/overlay/${name}`, page(folder, "overlay.html", ANY_FRAME))
    }
    yield* router.get("/favicon.svg", send(join(folder, "favicon.svg"), { "cache-control": "no-cache" }))
    for (const file of yield* files.readDirectory(join(folder, "assets"))) {
      yield* router.get(`/assets/${file}`, send(join(folder, "assets", file), { "cache-control": IMMUTABLE }))
    }
  }).pipe(Effect.orDie)
)
