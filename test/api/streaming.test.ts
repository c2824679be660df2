import { connect } from "node:net"
import { brotliDecompressSync, constants, gunzipSync } from "node:zlib"
import { expect } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { StoreUnavailable } from "../../src/domain/errors.ts"
import { until } from "../live/support.ts"
import { givenPoints } from "../contracts/givenPoints.ts"
import { inside, serviceInside, type ServiceOptions } from "../support/inside.ts"
import { some } from "../support/runs.ts"
import { rawBytes } from "./rawRequest.ts"
import { drivenPoints, START, storeDrive } from "./stored.ts"

const BATCH = 1000

/** A store whose every read has `batches` batches, made on request. */
class Watched {
  batches = 10
  /** The read fails after so many. */
  failAfter = Infinity
  /** Requested batches. */
  taken = 0
  /** Reads under way. */
  open = 0

  readonly options: ServiceOptions = {
    points: (real) => ({
      ...real,
      count: () => Effect.succeed(this.batches * BATCH),
      read: givenPoints(() =>
        Stream.suspend(() => {
          this.open++
          return Stream.iterate(0, (index) => index + 1)
        }).pipe(
          Stream.take(this.batches),
          Stream.mapEffect((index) => this.#batch(index)),
          Stream.ensuring(Effect.sync(() => this.open--))
        )
      )
    })
  }

  #batch(index: number) {
    return Effect.suspend(() => {
      if (index === this.failAfter) {
        return new StoreUnavailable({ store: "points", cause: new Error("pulled out") })
      }
      this.taken++
      return Effect.succeed(drivenPoints(START + index * BATCH, BATCH, 1))
    })
  }
}

const pathsOf = (session: number, lap: number) => [
  `${lap}/telemetry`,
  `telemetry/range?session_id=${session}`,
  `export/csv/${lap}`,
  `export/json/${lap}`,
  `export/session/${session}`,
  `export/session/${session}?format=json`
]

const paths = pathsOf(1, 1)

const watched = [
  ["telemetry/range?session_id=1", "identity"],
  ["telemetry/range?session_id=1", "br"],
  ["export/csv/1", "identity"]
] as const

for (const [path, coding] of some(watched, 2)) {
  inside(`takes no more from the store than its client takes from it: ${path} in ${coding}`, () =>
    Effect.gen(function* () {
      const watch = new Watched()
      watch.batches = 600
      const running = yield* serviceInside(watch.options)
      yield* storeDrive(running, { count: 10 })
      const socket = connect(running.port, "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
      const headers = `Host: test\r\nAccept-Encoding: ${coding}\r\nConnection: close`
      socket.write(`GET /api/v1/${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
      let seen = 0
      let unchanged = 0
      yield* Effect.promise(() =>
        until(() => {
          unchanged = watch.taken === seen ? unchanged + 1 : 0
          seen = watch.taken
          // Compressing a batch takes time.
          return seen > 0 && unchanged === (coding === "identity" ? 100 : 300)
        })
      )
      // Some megabytes wait in the kernel and in the socket; most of the 100 are still in the store.
      expect(watch.taken).toBeLessThan(watch.batches / 2)
      // The next tests look at coded answers that are shorter.
      if (coding !== "identity") return
      let bytes = 0
      socket.on("data", (data) => {
        bytes += data.length
      })
      yield* Effect.promise(() => until(() => socket.closed))
      expect(watch.taken).toBe(watch.batches)
      expect(bytes).toBeGreaterThan(watch.batches * BATCH * 100)
    })
  )
}

inside("an answer that breaks off ends without HTTP's end, so that no client takes it for complete", () =>
  Effect.gen(function* () {
    const watch = new Watched()
    const running = yield* serviceInside(watch.options)
    yield* storeDrive(running, { count: 10 })
    const text = (path: string, coding: string) =>
      Effect.tryPromise(async () => {
        const headers = { "accept-encoding": coding }
        const response = await fetch(`${running.url}/api/v1/${path}`, { headers })
        expect(response.headers.get("content-encoding") ?? "identity").toBe(coding)
        return response.text()
      })
    watch.failAfter = 3
    const inCodings = ["identity", "gzip", "br"].flatMap((coding) =>
      paths.map((path) => [path, coding] as const)
    )
    for (const [index, [path, coding]] of inCodings.entries()) {
      const answer = yield* Effect.exit(text(path, coding))
      expect([path, coding, Exit.isFailure(answer)]).toEqual([path, coding, true])
      const errors = running.logged.filter(({ level }) => level === "ERROR")
      expect(errors).toHaveLength(index + 1)
      expect(errors.at(-1)!.text).toMatch(/An answer broke off[^]*StoreUnavailable/)
      expect(errors.at(-1)!.request).toMatch(/^[\da-f-]{36}$/)
    }
    watch.failAfter = Infinity
    for (const coding of ["identity", "gzip", "br"]) {
      expect((yield* text("export/csv/1", coding)).split("\r\n")).toHaveLength(watch.batches * BATCH + 2)
    }
  })
)

/** The body that arrived until the answer ended or broke off, and whether HTTP marks it as complete. */
const received = (port: number, path: string, coding: string) =>
  Effect.map(
    rawBytes(
      port,
      `GET /api/v1/${path} HTTP/1.1\r\nHost: test\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`
    ),
    (bytes) => {
      const text = bytes.toString("latin1")
      const chunked = text.slice(text.indexOf("\r\n\r\n") + 4)
      const parts: Array<Buffer> = []
      let at = 0
      for (;;) {
        const line = chunked.indexOf("\r\n", at)
        const size = line === -1 ? Number.NaN : Number.parseInt(chunked.slice(at, line), 16)
        if (!(size > 0)) return { body: Buffer.concat(parts), ended: size === 0 }
        parts.push(Buffer.from(chunked.slice(line + 2, line + 2 + size), "latin1"))
        at = line + 2 + size + 2
      }
    }
  )

const decoders = { gzip: gunzipSync, br: brotliDecompressSync }
const unfinished = { gzip: constants.Z_SYNC_FLUSH, br: constants.BROTLI_OPERATION_FLUSH }

inside("a coded answer that breaks off lacks the end of its coding, and of HTTP's", () =>
  Effect.gen(function* () {
    const watch = new Watched()
    const running = yield* serviceInside(watch.options)
    yield* storeDrive(running, { count: 10 })
    for (const coding of ["gzip", "br"] as const) {
      watch.failAfter = Infinity
      const whole = yield* received(running.port, "export/csv/1", coding)
      expect([coding, whole.ended]).toEqual([coding, true])
      const text = decoders[coding](whole.body)
      watch.failAfter = 3
      const torn = yield* received(running.port, "export/csv/1", coding)
      expect([coding, torn.ended]).toEqual([coding, false])
      expect(() => decoders[coding](torn.body)).toThrow(/unexpected end of file/)
      // It is still the beginning of the text.
      const begun = decoders[coding](torn.body, { finishFlush: unfinished[coding] })
      expect(text.subarray(0, begun.length).equals(begun)).toBe(true)
      expect(begun.length).toBeLessThan(text.length)
    }
  })
)

inside("a piece is sent before the store has the next, compressed or not", () =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const running = yield* serviceInside({
      points: (real) => ({
        ...real,
        read: givenPoints(() =>
          Stream.concat(
            Stream.make(drivenPoints(START, 1000, 60)),
            Stream.drain(Stream.fromEffect(Deferred.await(gate)))
          )
        )
      })
    })
    yield* storeDrive(running, { count: 10 })
    for (const coding of ["identity", "gzip", "br"]) {
      const controller = new AbortController()
      const response = yield* Effect.promise(() =>
        fetch(`${running.url}/api/v1/export/csv/1`, {
          headers: { "accept-encoding": coding },
          signal: controller.signal
        })
      )
      const decoder = new TextDecoder()
      const reader = response.body!.getReader()
      let text = ""
      // The header and a thousand rows, while the rest is not known.
      while (text.split("\r\n").length < 1001) {
        const { value } = yield* Effect.promise(() => reader.read())
        text += decoder.decode(value, { stream: true })
      }
      controller.abort()
    }
  })
)

inside("an answer stops reading the store when its client disconnects", () =>
  Effect.gen(function* () {
    const watch = new Watched()
    watch.batches = 1_000_000
    const running = yield* serviceInside(watch.options)
    yield* storeDrive(running, { count: 10 })
    for (const [index, path] of paths.entries()) {
      const controller = new AbortController()
      const headers = { "accept-encoding": ["identity", "gzip", "br"][index % 3]! }
      const response = yield* Effect.promise(() =>
        fetch(`${running.url}/api/v1/${path}`, { headers, signal: controller.signal })
      )
      yield* Effect.promise(() => response.body!.getReader().read())
      controller.abort()
      yield* Effect.promise(() => until(() => watch.taken > 0 && watch.open === 0))
      expect(running.logged.filter(({ level }) => level !== "DEBUG")).toEqual([])
    }
  })
)

inside("an export breaks off if its session is deleted meanwhile", () =>
  Effect.gen(function* () {
    let begun = yield* Deferred.make<void>()
    let gate = yield* Deferred.make<void>()
    const running = yield* serviceInside({
      points: (real) => ({
        ...real,
        read: (range, channels) =>
          Stream.tap(real.read(range, channels), () =>
            Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate))
          )
      })
    })
    for (const [index, path] of paths.entries()) {
      begun = yield* Deferred.make<void>()
      gate = yield* Deferred.make<void>()
      // Several pages of the store, of which one is read.
      const { laps, session } = yield* storeDrive(running, { count: 20_000 })
      const url = `${running.url}/api/v1/${pathsOf(session.id, laps[0]!.id)[index]}`
      const reading = yield* Effect.fork(
        Effect.tryPromise(() => fetch(url).then((response) => response.text()))
      )
      yield* Deferred.await(begun)
      const deleted = yield* running.json(`/api/v1/sessions/${session.id}`, { method: "DELETE" })
      expect(deleted.status).toBe(200)
      yield* Deferred.succeed(gate, undefined)
      const answer = yield* Fiber.await(reading)
      expect([path, Exit.isFailure(answer)]).toEqual([path, true])
    }
  })
)
