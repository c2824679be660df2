/**
 * The cost of one request for the server: `/health`, a session and a lap of the service with all of its middleware, and
 * the same bytes from a bare router of Effect's platform, from fastify, and from node:http by hand. A session and a lap
 * also come from that router with the same query by node:sqlite, and from fastify with it. All answers are compared byte by byte; servers are new in each run, and warm when the clock starts.
 *
 *   npm run bench -- rest        (REQUESTS, CONNECTIONS, RUNS, ONLY by environment)
 */
import { Effect } from "effect"
import { Laps } from "../src/store/Laps.ts"
import { Sessions } from "../src/store/Sessions.ts"
import * as SqliteStore from "../src/store/sqlite/SqliteStore.ts"
import { compare, type Figures, scaled, wanted } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { load } from "./suite/httpLoad.ts"
import { type Program, type Service, startProgram, startService } from "./suite/programs.ts"

const REQUESTS = setting("REQUESTS", scaled(20_000, 400))
/** Requests before the clock starts: by then V8 has optimised the whole path. */
const WARM_UP = scaled(10_000, 50)
const CONNECTIONS = setting("CONNECTIONS", scaled(32, 8))
/** Without its query and without Effect, a request costs so little that the clock of /proc needs more of them. */
const REQUESTS_BY_HAND = 3 * REQUESTS

const LAPS = 12

/** A session with laps, in the form that a recording leaves. */
const fill = (folder: string): Promise<void> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const named = { circuit: "Hollin Moor", vehicle: "Formula 3", driver: "Bench", datetime: 1.77e9 }
    const { id } = yield* sessions.createSession(named, { recording: true })
    const laps = Array.from({ length: LAPS }, (_, index) => ({
      sessionId: id,
      lapNumber: index + 1,
      lapTime: 92.125 + index / 7,
      sector1Time: 30.0625 + index / 7,
      sector2Time: 31.0625,
      sector3Time: 31,
      valid: true,
      startTime: 1.77e9 + index * 95,
      endTime: 1.77e9 + (index + 1) * 95
    }))
    yield* (yield* Laps).addLaps(laps)
    yield* sessions.extendSessions(new Map([[id, { first: 1.77e9, last: 1.77e9 + LAPS * 95 }]]))
    yield* sessions.endSession(id)
  }).pipe(Effect.provide(SqliteStore.catalogLayer(folder)), Effect.scoped, Effect.runPromise)

const measured = async (server: Program, url: string, path: string, body: Buffer, requests = REQUESTS) => {
  const request = { url, path, body, connections: CONNECTIONS }
  await load({ ...request, requests: WARM_UP })
  const before = server.cpuSeconds()
  const start = performance.now()
  await load({ ...request, requests })
  const seconds = (performance.now() - start) / 1000
  const figures: Figures = {
    "us CPU a request": ((server.cpuSeconds() - before) / requests) * 1e6,
    "requests a second": requests / seconds
  }
  await server.stop()
  return figures
}

const service = async (path: string, body: Buffer) => {
  const started = await startService()
  await fill(started.data)
  return measured(started, started.url, path, body)
}

const baseline = async (
  program: string,
  args: ReadonlyArray<string>,
  path: string,
  body: Buffer,
  requests = REQUESTS
) => {
  const started = await startProgram(`baselines/${program}.ts`, args)
  return measured(started, started.line, path, body, requests)
}

/** The service's answer, which the baselines must give too. */
const answered = async ({ url }: Service, path: string): Promise<Buffer> => {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

const paths = [
  { path: "/api/v1/health", row: undefined },
  { path: "/api/v1/sessions/1", row: "session" },
  { path: "/api/v1/1", row: "lap" }
] as const

const reference = await startService()
await fill(reference.data)
for (const { path, row } of paths) {
  const title = `GET ${path}`
  if (!wanted(title)) continue
  const body = await answered(reference, path)
  const bytes = [path, body.toString()]
  const cost = { figure: "us CPU a request", of: "service" }
  const asked = [SqliteStore.databaseFile(reference.data), String(row)]
  const withQuery =
    row === undefined
      ? []
      : [
          { name: "bare router, the same query", run: () => baseline("answerRow", asked, path, body) },
          {
            name: "bare router, no spans, the same query",
            run: () => baseline("answerRow", [...asked, "untraced"], path, body)
          },
          {
            name: "fastify, the same query",
            run: () => baseline("answerFastifyRow", asked, path, body, REQUESTS_BY_HAND)
          }
        ]
  await compare({
    title,
    subjects: [
      { name: "service", run: () => service(path, body) },
      ...withQuery,
      { name: "bare router", run: () => baseline("answerRouter", bytes, path, body) },
      {
        name: "bare router, no spans",
        run: () => baseline("answerRouter", [...bytes, "untraced"], path, body)
      },
      { name: "fastify", run: () => baseline("answerFastify", bytes, path, body, REQUESTS_BY_HAND) },
      { name: "node:http", run: () => baseline("answerHttp", bytes, path, body, REQUESTS_BY_HAND) }
    ],
    ratios: [
      ...withQuery.map(({ name }, index) => ({
        ...cost,
        to: name,
        ...(index === 0 ? { goal: { most: 1.1 } } : {})
      })),
      { ...cost, to: "bare router", ...(row === undefined ? { goal: { most: 1.5 } } : {}) },
      { ...cost, to: "bare router, no spans" },
      { ...cost, to: "fastify" },
      { ...cost, to: "node:http" }
    ]
  })
}
await reference.stop()
