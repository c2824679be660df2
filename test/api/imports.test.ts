/** Uploads of files over REST, from the first byte to the sessions. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { describe, expect } from "@effect/vitest"
import { Effect } from "effect"
import { recordingText } from "../imports/recordingText.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { inside, type Inside, type ServiceOptions, serviceInside } from "../support/inside.ts"

interface Import {
  readonly id: number
  readonly state: string
  readonly format: string | null
  readonly sessions: ReadonlyArray<number>
  readonly received: number
  readonly rows: number
  readonly sha256: string | null
}

const UNFINISHED = new Set(["uploading", "queued", "reading"])

const upload = (
  service: Inside,
  body: NonNullable<RequestInit["body"]>,
  query: string,
  init: RequestInit = {}
) => service.json(`/api/v1/imports?${query}`, { method: "POST", body, ...init })

const goOn = (service: Inside, id: number, offset: number | string, body: string | Uint8Array<ArrayBuffer>) =>
  service.fetch(`/api/v1/imports/${id}`, {
    method: "PATCH",
    body,
    headers: { "upload-offset": String(offset) }
  })

const importOf = (service: Inside, id: number) =>
  Effect.map(service.json(`/api/v1/imports/${id}`), ({ body }) => body as Import)

/** The import when it has ended. */
const ended = (service: Inside, id: number) =>
  Effect.repeat(importOf(service, id), { until: ({ state }) => !UNFINISHED.has(state) })

const total = (service: Inside, path: string) =>
  Effect.map(service.json(path), ({ body }) => (body as { readonly total: number }).total)

const detailOf = ({ body }: { readonly body: unknown }) => (body as { readonly detail: string }).detail

const file = (name: string) => readFileSync(join(sharedFolder("data/formats"), name))

const test = (title: string, body: (service: Inside) => Effect.Effect<void>, options?: ServiceOptions) =>
  inside(title, () => Effect.flatMap(serviceInside(options), body))

describe("an upload", () => {
  test("is stored, named by its last path part, and the same bytes are not stored twice", (service) =>
    Effect.gen(function* () {
      const text = recordingText(2)
      const name = encodeURIComponent("C:\\logs\\..\\../one\u202e.ndjson")
      const first = yield* upload(service, text, `name=${name}&batch=b-1`)
      const { id } = first.body as Import
      expect([first.status, first.headers.get("location")]).toEqual([202, `/api/v1/imports/${id}`])
      const done = yield* ended(service, id)
      expect(done).toMatchObject({
        name: "one.ndjson",
        state: "done",
        format: "recording",
        progress: 1,
        rows: 2000,
        received: text.length,
        size: text.length,
        batch: "b-1",
        sha256: createHash("sha256").update(text).digest("hex")
      })
      const again = yield* upload(service, text, "name=other.ndjson")
      expect([again.status, again.body]).toEqual([200, done])
      expect(yield* total(service, "/api/v1/imports")).toBe(1)
      expect(yield* total(service, "/api/v1/sessions")).toBe(1)
      const wanted = yield* upload(service, text, "name=other.ndjson&again=1")
      expect(wanted.status).toBe(202)
      yield* ended(service, (wanted.body as Import).id)
      expect(yield* total(service, "/api/v1/sessions")).toBe(2)
      for (const [query, count] of [
        ["batch=b-1", 1],
        ["batch=c", 0],
        ["state=done", 2],
        ["state=failed", 0],
        [`session_id=${done.sessions[0]}`, 1]
      ] as const) {
        expect([query, yield* total(service, `/api/v1/imports?${query}`)]).toEqual([query, count])
      }
      // Forgotten, its session stays.
      expect((yield* service.json(`/api/v1/imports/${id}`, { method: "DELETE" })).status).toBe(200)
      expect((yield* service.json(`/api/v1/imports/${id}`)).status).toBe(404)
      expect(yield* total(service, "/api/v1/sessions")).toBe(2)
    }))

  test("goes on in pieces from the byte that is missing", (service) =>
    Effect.gen(function* () {
      const text = recordingText(3)
      const head = yield* upload(service, text.slice(0, 1000), `name=a.ndjson&size=${text.length}`)
      const { id } = head.body as Import
      expect([head.status, head.body]).toEqual([
        202,
        expect.objectContaining({ state: "uploading", received: 1000 })
      ])
      const asked = yield* service.fetch(`/api/v1/imports/${id}`, { method: "HEAD" })
      expect([asked.status, asked.headers.get("upload-offset")]).toEqual([200, "1000"])
      const wrong = yield* goOn(service, id, 500, text.slice(500))
      expect([wrong.status, wrong.headers.get("upload-offset")]).toEqual([409, "1000"])
      expect((yield* goOn(service, id, "x", text)).status).toBe(422)
      const next = yield* goOn(service, id, 1000, text.slice(1000, 90_000))
      expect([next.status, next.headers.get("upload-offset")]).toEqual([204, "90000"])
      const last = yield* goOn(service, id, 90_000, text.slice(90_000))
      expect([last.status, last.headers.get("location")]).toEqual([204, `/api/v1/imports/${id}`])
      expect(yield* ended(service, id)).toMatchObject({
        state: "done",
        rows: 3000,
        sha256: createHash("sha256").update(text).digest("hex")
      })
      expect((yield* goOn(service, id, text.length, "")).status).toBe(409)
    }))

  test("that a client breaks off is kept, and a second one of the same import takes it over", (service) =>
    Effect.gen(function* () {
      const text = recordingText(3)
      const socket = connect(service.port, "127.0.0.1")
      socket.write(
        `POST /api/v1/imports?name=a.ndjson HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, 70_000)}`
      )
      const [{ id }] = yield* service.json("/api/v1/imports").pipe(
        Effect.map(({ body }) => (body as { readonly items: ReadonlyArray<Import> }).items),
        Effect.repeat({ until: (items) => items[0]?.received === 70_000 })
      ) as Effect.Effect<[Import]>
      // The first connection is still open, as one is whose client has lost its network.
      const last = yield* goOn(service, id, 70_000, text.slice(70_000))
      expect(last.status).toBe(204)
      expect(yield* ended(service, id)).toMatchObject({ state: "done", rows: 3000 })
      socket.destroy()
    }))

  test("of an unknown format is refused when 64 KiB are there, and nothing is kept", (service) =>
    Effect.gen(function* () {
      const answer = yield* Effect.async<string>((resume) => {
        const socket = connect(service.port, "127.0.0.1")
        socket.write(
          `POST /api/v1/imports?name=a.mp4 HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000000\r\n\r\n${"x".repeat(65_536)}`
        )
        socket.once("data", (data) => {
          socket.destroy()
          resume(Effect.succeed(data.toString()))
        })
      })
      expect(answer).toMatch(/^HTTP\/1\.1 415 /)
      expect(answer).toContain("The file is of no known format. Known are iRacing")
      const small = yield* upload(service, "just some notes", "name=notes.txt")
      expect(small.status).toBe(415)
      expect(yield* total(service, "/api/v1/imports")).toBe(0)
    }))

  test(
    "is refused by its size, its query, and without a byte of it being kept",
    (service) =>
      Effect.gen(function* () {
        const text = recordingText(1)
        const large = yield* upload(service, text, "name=a.ndjson")
        expect([large.status, detailOf(large)]).toEqual([413, "The file is larger than 1 MiB (--import-max)"])
        const streamed = yield* upload(service, new Blob([text]).stream(), "name=a.ndjson", {
          duplex: "half"
        } as RequestInit)
        expect(streamed.status).toBe(413)
        for (const [query, sentence] of [
          ["", "name is missing"],
          ["name=..%2F", /^name must be the name of a file/],
          ["name=a&batch=a_b", "batch must be 1 to 64 letters, digits and -, got a_b"],
          ["name=a&time_zone=Mars", /^time_zone must be the name of a time zone/],
          ["name=a&size=x", /^size must be a whole number/],
          ["name=a&circuit=", /^circuit must be 1 to 200 characters/]
        ] as const) {
          const refused = yield* upload(service, "x", query)
          expect([query, refused.status, detailOf(refused)]).toEqual([
            query,
            422,
            typeof sentence === "string" ? sentence : expect.stringMatching(sentence)
          ])
        }
        // More bytes than were announced.
        expect((yield* upload(service, recordingText(0), "name=a&size=10")).status).toBe(422)
        expect(yield* total(service, "/api/v1/imports")).toBe(0)
      }),
    { importMax: 30_000 }
  )

  test("that is cancelled while it is uploaded or read leaves nothing", (service) =>
    Effect.gen(function* () {
      const half = yield* upload(service, recordingText(1), "name=a.ndjson&size=1000000")
      const { id } = half.body as Import
      const ends = (of: number) => service.json(`/api/v1/imports/${of}`, { method: "DELETE" })
      expect((yield* ends(id)).body).toMatchObject({ state: "cancelled", detail: "It was cancelled" })
      expect((yield* goOn(service, id, 100, "x")).status).toBe(409)
      const long = yield* upload(service, recordingText(300), "name=b.ndjson")
      const running = (long.body as Import).id
      yield* Effect.repeat(importOf(service, running), { until: ({ sessions }) => sessions.length > 0 })
      expect((yield* ends(running)).body).toMatchObject({ state: "cancelled", sessions: [] })
      expect(yield* total(service, "/api/v1/sessions")).toBe(0)
      // The next one is read all the same.
      const next = yield* upload(service, recordingText(1), "name=c.ndjson")
      expect(yield* ended(service, (next.body as Import).id)).toMatchObject({ state: "done" })
    }))

  test(
    "is refused before its body is read if the service is read-only",
    (service) =>
      Effect.gen(function* () {
        const answer = yield* Effect.async<string>((resume) => {
          const socket = connect(service.port, "127.0.0.1")
          socket.write("POST /api/v1/imports?name=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
          socket.once("data", (data) => {
            socket.destroy()
            resume(Effect.succeed(data.toString()))
          })
        })
        expect(answer).toMatch(/^HTTP\/1\.1 403 /)
      }),
    { access: { origins: "*", token: undefined, readOnly: true, hosts: "any" } }
  )
})

describe("an upload", needing(formatsHere), () => {
  test("of a MoTeC log waits for the laps of its batch", (service) =>
    Effect.gen(function* () {
      const alone = yield* upload(service, file("motec-m1.ld"), "name=other.ld&time_zone=UTC")
      const without = yield* ended(service, (alone.body as Import).id)
      expect(without).toMatchObject({ state: "done", laps: 5 })
      const log = yield* upload(service, file("motec-m1.ld"), "name=M1.ld&batch=b&again=1&time_zone=UTC")
      expect(log.body).toMatchObject({ state: "queued" })
      const oneBeacon = file("motec-m1.ldx")
        .toString()
        .replaceAll(/<Marker [^>]*GPS [23]"[^>]*>/g, "")
      const laps = yield* upload(service, oneBeacon, "name=m1.LDX&batch=b")
      expect([laps.status, laps.body]).toEqual([
        202,
        expect.objectContaining({ state: "done", format: "motec-ldx" })
      ])
      const done = yield* ended(service, (log.body as Import).id)
      expect(done).toMatchObject({ state: "done", laps: 2 })
    }))

  test("of a later .ldx file cuts the laps of its log anew, as if both had come together", (service) =>
    Effect.gen(function* () {
      const lapsOf = ({ sessions }: Import) =>
        Effect.map(service.json(`/api/v1/${sessions[0]}/laps`), ({ body }) =>
          (body as ReadonlyArray<object>).map(
            (lap) => ({ ...lap, id: 0, session_id: 0 }) as Readonly<Record<string, unknown>>
          )
        )
      const ldx = file("motec-m1.ldx")
      const both = yield* upload(service, file("motec-m1.ld"), "name=m1.ld&batch=b&time_zone=UTC")
      yield* upload(service, ldx, "name=m1.ldx&batch=b")
      const wanted = yield* ended(service, (both.body as Import).id)
      const alone = yield* upload(service, file("motec-m1.ld"), "name=m1.ld&again=1&time_zone=UTC")
      const log = yield* ended(service, (alone.body as Import).id)
      expect(log).toMatchObject({ state: "done", laps: 5 })
      const before = yield* total(service, "/api/v1/imports")
      const cut = yield* upload(service, ldx, `name=later.ldx&of=${log.id}`)
      expect([cut.status, cut.headers.get("location")]).toEqual([200, `/api/v1/imports/${log.id}`])
      expect(cut.body).toEqual({ ...log, laps: 4 })
      expect(yield* lapsOf(log)).toEqual(yield* lapsOf(wanted))
      expect((yield* lapsOf(log)).map((lap) => lap["lap_time"])).toEqual([null, 112.47525, 111.50375, null])
      // Cut once more, everything stays.
      expect((yield* upload(service, ldx, `name=later.ldx&of=${log.id}`)).body).toEqual(cut.body)
      const other = yield* upload(service, recordingText(1), "name=a.ndjson")
      yield* ended(service, (other.body as Import).id)
      const empty = "<LDXFile></LDXFile>"
      for (const [body, of, status, sentence] of [
        [ldx, 77, 404, "Import 77 was not found"],
        [recordingText(2), log.id, 409, `Only an .ldx file of MoTeC cuts the laps of import ${log.id} anew`],
        [empty, log.id, 409, `The .ldx file has no beacons: the laps of import ${log.id} stay as they are`],
        [ldx, (other.body as Import).id, 409, /is not of a MoTeC log \(\.ld\), whose laps an \.ldx file has$/]
      ] as const) {
        const refused = yield* upload(service, body, `name=x&of=${of}`)
        expect([refused.status, detailOf(refused)]).toEqual([
          status,
          typeof sentence === "string" ? sentence : expect.stringMatching(sentence)
        ])
      }
      yield* service.json(`/api/v1/sessions/${log.sessions[0]}`, { method: "DELETE" })
      expect(detailOf(yield* upload(service, ldx, `name=x&of=${log.id}`))).toBe(
        `Import ${log.id} has no session any more`
      )
      // Of the files that were refused, or used, nothing is left.
      expect(yield* total(service, "/api/v1/imports")).toBe(before + 1)
    }))
})
