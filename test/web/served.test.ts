/** The files of the build as they are served: their paths, their codings, and the answer for missing ones. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Box from "../support/processes.ts"
import { answered } from "../api/overTheWire.ts"

const built = join(Box.root, "web/dist")

/** One service for all of these tests, which only read. */
class Service extends Context.Tag("test/Service")<Service, Box.Running>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.flatMap(Box.folder, (folder) => Box.startService(folder))
  )
}

/** The headers of a browser's request for a document. */
const NAVIGATING = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"

layer(Service.layer, { excludeTestServices: true })("the build's files", (it) => {
  it.scoped("the service has pages at their paths only, and files named by content for good", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const ask = (path: string, headers: Record<string, string> = {}) =>
        Effect.promise(() => fetch(service.address + path, { headers }))
      for (const path of ["/", "/sessions", "/sessions/1", "/compare", "/overlay/timer", "/docs"]) {
        const answer = yield* ask(path)
        expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
          path,
          200,
          "text/html; charset=utf-8"
        ])
        expect(answer.headers.get("content-security-policy")).toContain("default-src 'self'")
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
        const again = yield* ask(path, { "if-none-match": answer.headers.get("etag")! })
        expect([path, again.status]).toEqual([path, 304])
      }
      for (const path of [
        "/page",
        "/sessions/x",
        "/overlay/other",
        "/assets/none.js",
        "/assets/..%2findex.html"
      ]) {
        const answer = yield* ask(path)
        expect([path, answer.status]).toEqual([path, 404])
        expect(yield* Effect.promise(() => answer.json())).toHaveProperty("detail")
      }
      expect((yield* ask("/", { accept: "application/json" })).status).toBe(406)
    })
  )

  it.scoped(
    "the service names a page's modules in its document, so that they are requested before the shell has run",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        for (const [path, module] of [
          ["/", "LivePage"],
          ["/sessions", "SessionsPage"],
          ["/sessions/1", "SessionPage"],
          ["/import", "ImportPage"],
          ["/compare", "ComparePage"],
          ["/statistics", "StatisticsPage"],
          ["/overlays", "OverlaysPage"],
          ["/overlays/layout", "LayoutPage"],
          ["/settings", "SettingsPage"]
        ]) {
          const html = (yield* answered(service.address, path!)).body.toString()
          const named = [...html.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)">/g)].map(
            ([, file]) => file!
          )
          expect([path, named.filter((file) => /Page-/.test(file))]).toEqual([
            path,
            [expect.stringMatching(new RegExp(`^/assets/${module}-`))]
          ])
          expect(new Set(named).size).toBe(named.length)
          // The module's imports are named, too.
          const text = readFileSync(
            join(
              built,
              named.find((file) => file.includes(`/${module}-`))!
            ),
            "utf8"
          )
          const imported = [...text.matchAll(/from"\.\/([^"]+)"/g)].map(([, file]) => `/assets/${file}`)
          expect(imported.length).toBeGreaterThan(0)
          expect(imported.filter((file) => !html.includes(`"${file}"`))).toEqual([])
        }
      })
  )

  it.scoped("the service makes tags from the content: another build may have the same sizes and times", () =>
    Effect.gen(function* () {
      const service = yield* Service
      for (const path of ["/", "/docs", "/overlay/timer"]) {
        const { body, headers } = yield* answered(service.address, path)
        expect(headers["etag"]).toBe(`"${createHash("sha256").update(body).digest("base64url")}"`)
      }
    })
  )

  it.scoped("the service sends the build's files plain, or as the build has compressed them", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const files = readdirSync(join(built, "assets"))
      // The compressed files beside it are for requests with a coding.
      expect(
        (yield* answered(service.address, `/assets/${files.find((name) => name.endsWith(".br"))}`)).status
      ).toBe(404)
      for (const ending of [".js", ".css"]) {
        const name = files.find((file) => file.endsWith(ending) && files.includes(`${file}.br`))!
        const path = `/assets/${name}`
        const bytes = readFileSync(join(built, path))
        const plain = yield* answered(service.address, path)
        expect(plain.headers).toMatchObject({
          "cache-control": expect.stringContaining("immutable"),
          "content-type": `text/${ending === ".js" ? "javascript" : "css"}; charset=utf-8`,
          "content-length": String(bytes.length),
          vary: "Accept-Encoding"
        })
        expect(plain.headers["content-encoding"]).toBeUndefined()
        expect(plain.body.equals(bytes)).toBe(true)
        const coded = yield* answered(service.address, path, { "accept-encoding": "gzip, deflate, br" })
        expect(coded.headers).toMatchObject({
          "content-encoding": "br",
          "content-type": plain.headers["content-type"],
          "content-length": String(statSync(join(built, `${path}.br`)).size)
        })
        expect(brotliDecompressSync(coded.body).equals(bytes)).toBe(true)
        const gzipped = yield* answered(service.address, path, { "accept-encoding": "gzip" })
        expect(gzipped.headers["content-encoding"]).toBe("gzip")
        expect(gunzipSync(gzipped.body).equals(bytes)).toBe(true)
        // Each form has a tag of its own.
        expect(new Set([plain, coded, gzipped].map(({ headers }) => headers["etag"])).size).toBe(3)
        const known = { "accept-encoding": "br", "if-none-match": coded.headers["etag"]! }
        expect((yield* answered(service.address, path, known)).status).toBe(304)
        const head = yield* answered(service.address, path, { "accept-encoding": "br" }, "HEAD")
        expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([
          200,
          0,
          coded.headers["content-length"]
        ])
      }
    })
  )

  it.scoped.skipIf(!existsSync("/proc/self/fd"))("the service opens no file that it does not send", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const open = () =>
        readdirSync(`/proc/${service.child.pid}/fd`).filter((fd) => {
          try {
            return readlinkSync(`/proc/${service.child.pid}/fd/${fd}`).startsWith(built)
          } catch {
            // The descriptor was closed meanwhile.
            return false
          }
        })
      const { headers } = yield* answered(service.address, "/")
      for (let i = 0; i < 20; i++) {
        yield* answered(service.address, "/", { "if-none-match": headers["etag"]! })
        yield* answered(service.address, "/", {}, "HEAD")
      }
      expect(open()).toEqual([])
    })
  )

  it.scoped("the service answers a missing page with a page for browsers, or a sentence", () =>
    Effect.gen(function* () {
      const service = yield* Service
      for (const [path, accept, page] of [
        ["/page", NAVIGATING, true],
        ["/sessions/x", "text/html", true],
        ["/sessions/", NAVIGATING, true],
        ["/overlay/other", NAVIGATING, true],
        ["/docs/x", NAVIGATING, true],
        ["/apis", NAVIGATING, true],
        ["/API/v1/health", NAVIGATING, true],
        ["/metrics/x", NAVIGATING, true],
        ["/page", "*/*", false],
        ["/page", "text/*", false],
        ["/page", "text/html;q=0, */*", false],
        ["/page", "application/json", false],
        ["/page", "", false],
        ["/api", NAVIGATING, false],
        ["/api/v1/nothing", NAVIGATING, false],
        ["/api/v1/sessions/77", NAVIGATING, false],
        ["/trpc", NAVIGATING, false]
      ] as const) {
        for (const method of ["GET", "HEAD"]) {
          const answer = yield* answered(service.address, path, { accept }, method)
          expect([method, path, accept, answer.status, answer.headers["content-type"]]).toEqual([
            method,
            path,
            accept,
            404,
            page ? "text/html; charset=utf-8" : "application/json"
          ])
          if (page) {
            expect(answer.headers).toMatchObject({
              "content-security-policy": expect.stringContaining("default-src 'self'"),
              "x-content-type-options": "nosniff",
              vary: expect.stringContaining("Accept")
            })
          } else if (method === "GET")
            expect(Object.keys(JSON.parse(answer.body.toString()))).toEqual(["detail"])
        }
      }
      const other = yield* answered(service.address, "/docs", { accept: NAVIGATING }, "DELETE")
      expect([other.status, other.headers["content-type"]]).toEqual([405, "application/json"])
    })
  )
})
