/** Access to a service that is started with flags and environment, in one process and in several. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { answered } from "../api/overTheWire.ts"
import { openSocket } from "../api/openSocket.ts"
import * as Box from "../support/processes.ts"

const TOKEN = "correct-horse-battery-staple"

const flags =
  "--port 0 --host 0.0.0.0 --log-format json --log-level trace --read-only --allow-origin https://overlay.example".split(
    " "
  )

describe.each([
  ["one process", []],
  ["several processes", ["--workers", "2"]]
])("a service of %s", (_, processes) => {
  it.scopedLive(
    "with a token and --read-only allows reading with the token only, and never logs the token",
    () =>
      Effect.gen(function* () {
        const service = yield* Box.startProgram(
          process.execPath,
          [`${Box.root}dist/program/main.js`, "--data", yield* Box.folder, ...flags, ...processes],
          { env: { ...process.env, TELEMETRY_TOKEN: TOKEN } }
        )
        const url = service.address.replace("0.0.0.0", "127.0.0.1")
        const bearer = { authorization: `Bearer ${TOKEN}` }
        const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
          answered(url, path, headers, method)
        // More often than there are workers, each on a connection of its own.
        for (let i = 0; i < 4; i++) {
          expect((yield* ask("/api/v1/health")).status).toBe(200)
          expect((yield* ask("/")).status).toBe(200)
          for (const path of ["/metrics", "/api/v1/status", "/trpc/system.status"]) {
            expect([path, (yield* ask(path)).status]).toEqual([path, 401])
            expect([path, (yield* ask(path, bearer)).status]).toEqual([path, 200])
            expect([path, (yield* ask(`${path}?token=${TOKEN}`)).status]).toEqual([path, 200])
            expect([path, (yield* ask(path, { ...bearer, host: "evil.example" })).status]).toEqual([
              path,
              403
            ])
            expect([path, (yield* ask(path, { ...bearer, origin: "https://evil.example" })).status]).toEqual([
              path,
              403
            ])
          }
          const changed = yield* ask("/api/v1/disconnect", bearer, "POST")
          expect([changed.status, changed.body.toString()]).toEqual([
            403,
            '{"detail":"The service is read-only and refuses POST (--read-only)"}'
          ])
          const live = `${url.replace("http", "ws")}/api/v1/telemetry/live`
          expect(yield* openSocket(live)).toBe(401)
          expect(yield* openSocket(`${live}?token=${TOKEN}`, { origin: "https://evil.example" })).toBe(403)
          expect(yield* openSocket(`${live}?token=${TOKEN}`, { origin: "https://overlay.example" })).toBe(101)
        }
        expect(yield* service.signal("SIGTERM")).toBe(0)
        const log = service.errors()
        expect(log.match(/Listening on 0\.0\.0\.0: [^"]*/g)).toEqual([
          "Listening on 0.0.0.0: anyone who has the token and can reach this machine may read everything and change nothing, over plain HTTP; to narrow this: --host 127.0.0.1 (SECURITY.md)"
        ])
        // The log has the requests, and not the token.
        expect(log).toContain("GET /metrics 200")
        expect(log).not.toContain(TOKEN)
      })
  )
})

it.scopedLive("a service that only this machine reaches logs nothing about access", () =>
  Effect.gen(function* () {
    const service = yield* Box.startService(yield* Box.folder)
    expect((yield* Box.ask(service, "GET", "/status")).status).toBe(200)
    expect(service.errors()).not.toContain("Listening on")
  })
)
