/** Uploads of files to the real processes, which are killed, broken off and repeated. */
import { connect as openSocket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { recordingText } from "../imports/recordingText.ts"
import * as Box from "../support/processes.ts"

interface Import {
  readonly id: number
  readonly state: string
  readonly sessions: ReadonlyArray<number>
  readonly received: number
  readonly rows: number
}

const send = (service: Box.Running, method: string, path: string, body: string, offset?: number) =>
  Effect.promise(() =>
    fetch(`${service.address}/api/v1/imports${path}`, {
      method,
      body,
      headers: { connection: "close", ...(offset === undefined ? {} : { "upload-offset": String(offset) }) }
    })
  )

const upload = (service: Box.Running, name: string, text: string, more = "") =>
  Effect.flatMap(send(service, "POST", `?name=${name}${more}`, text), (answer) =>
    Effect.map(
      Effect.promise(() => answer.json()),
      (body) => ({ status: answer.status, ...(body as Import) })
    )
  )

const importOf = (service: Box.Running, id: number) => Box.get<Import>(service, `/imports/${id}`)

const done = (service: Box.Running, id: number) =>
  Box.until(importOf(service, id), ({ state }) => !["uploading", "queued", "reading"].includes(state))

const rowsOf = (service: Box.Running, session: number) =>
  Effect.promise(async () => {
    const answer = await fetch(`${service.address}/api/v1/export/session/${session}?format=csv`)
    return answer.text()
  })

it.scopedLive.each([1, 2])(
  "killed while a file is read, it begins again, and has each row once (%i workers)",
  (workers) =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const text = recordingText(600)
      const flags = ["--workers", String(workers)]
      const { id } = yield* Effect.scoped(
        Effect.gen(function* () {
          const service = yield* Box.startService(data, ...flags)
          const added = yield* upload(service, "long.ndjson", text)
          // Its session begins with the first rows of many.
          const reading = yield* Effect.repeat(importOf(service, added.id), {
            until: ({ sessions }) => sessions.length > 0
          })
          expect(reading.state).toBe("reading")
          // The end of the scope kills it with SIGKILL.
          return added
        })
      )
      const service = yield* Box.startService(data, ...flags)
      const finished = yield* done(service, id)
      expect(finished).toMatchObject({ state: "done", rows: 600_000 })
      expect(yield* Box.get(service, "/sessions")).toMatchObject({ total: 1 })
      const other = yield* done(service, (yield* upload(service, "b.ndjson", text, "&again=1")).id)
      const [rows, unbroken] = yield* Effect.forEach([finished, other], ({ sessions }) =>
        rowsOf(service, sessions[0]!)
      )
      expect(rows!.split("\n").length).toBeGreaterThan(600_000)
      // Not the texts themselves, which are long.
      expect(rows === unbroken).toBe(true)
    })
)

it.scopedLive("an upload that broke goes on after the service was killed and started again", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const text = recordingText(50)
    const id = yield* Effect.scoped(
      Effect.gen(function* () {
        const service = yield* Box.startService(data)
        const { hostname, port } = new URL(service.address)
        const socket = openSocket(Number(port), hostname)
        yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
        socket.on("error", () => undefined)
        socket.write(
          `POST /api/v1/imports?name=a.ndjson HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, 200_000)}`
        )
        const { items } = yield* Box.until(
          Box.get<{ readonly items: ReadonlyArray<Import> }>(service, "/imports"),
          (list) => list.items[0]?.received === 200_000
        )
        return items[0]!.id
      })
    )
    const service = yield* Box.startService(data)
    const head = yield* send(service, "PATCH", `/${id}`, text, 1)
    const offset = Number(head.headers.get("upload-offset"))
    expect([head.status, offset]).toEqual([409, 200_000])
    expect((yield* send(service, "PATCH", `/${id}`, text.slice(offset), offset)).status).toBe(204)
    expect(yield* done(service, id)).toMatchObject({ state: "done", rows: 50_000 })
  })
)

it.scopedLive("many files are imported once, whatever the worker that takes them", () =>
  Effect.gen(function* () {
    const service = yield* Box.startService(yield* Box.folder, "--workers", "2")
    const names = Array.from({ length: 60 }, (_, n) => `driver-${n}`)
    const all = Effect.forEach(names, (name) => upload(service, `${name}.ndjson`, recordingText(1, name)), {
      concurrency: 8
    })
    const first = yield* all
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([202]))
    for (const { id } of first) expect(yield* done(service, id)).toMatchObject({ state: "done", rows: 1000 })
    const second = yield* all
    expect(second.map(({ id, status }) => [id, status])).toEqual(first.map(({ id }) => [id, 200]))
    expect(yield* Box.get(service, "/sessions")).toMatchObject({ total: 60 })
    expect(yield* Box.get(service, "/imports")).toMatchObject({ total: 60 })
  })
)
