/**
 * The cost of answers over the whole archive: best laps, a driver, a circuit, lists of names, counts and a page of
 * sessions, with 200, 2,000 and 20,000 sessions of 25 laps, over HTTP. The baselines are the smallest archive, and
 * `/health`, which reads no archive: the cost of a route should not grow with the archive. Then `/health` is asked on a
 * second connection meanwhile: its slowest answers show for how long nothing else was done. CPU is the service's own,
 * without PostgreSQL's.
 *
 *   npm run bench -- archive        (REQUESTS, RUNS; POSTGRES: the address of a server in which databases are made)
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import * as PostgresCatalog from "../src/store/postgres/PostgresCatalog.ts"
import * as SqliteFile from "../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../src/store/sqlite/SqliteStore.ts"
import { compare, type Figures, scaled, smoke, wanted } from "./suite/comparison.ts"
import { quantiles, setting } from "./suite/figures.ts"
import { archiveOf, fillCatalog, nameOf } from "./suite/filledCatalog.ts"
import { type Service, startService } from "./suite/programs.ts"

const REQUESTS = setting("REQUESTS", scaled(400, 5))
const REQUESTS_BESIDE = Math.ceil(REQUESTS / 4)
const SIZES = smoke ? [100, 200] : [200, 2000, 20_000]
const POSTGRES = process.env["POSTGRES"]

const circuit = encodeURIComponent(nameOf("Circuit", 3))
const vehicle = encodeURIComponent(nameOf("Vehicle", 4))
const driver = encodeURIComponent(nameOf("Driver", 5))

const ROUTES = [
  "stats/best-laps?limit=10",
  `stats/best-laps?limit=10&circuit=${circuit}`,
  `stats/best-laps?limit=10&circuit=${circuit}&vehicle=${vehicle}`,
  "stats/best-laps?limit=1000",
  `stats/driver/${driver}`,
  `stats/driver/${driver}?circuit=${circuit}`,
  `stats/circuit/${circuit}`,
  "config/circuits",
  "config/vehicles",
  "status",
  "sessions?limit=50",
  "sessions?limit=25&sort=driver",
  "sessions?limit=25&sort=fastest",
  "sessions?limit=25&search=driver%205%20circuit%203&sort=vehicle"
]

interface Archive {
  readonly name: string
  readonly service: Service
}

const asked = async (url: string): Promise<number> => {
  const before = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - before
}

/** A service over a catalog with this many sessions. */
const sqlite = async (sessions: number): Promise<Service> => {
  const service = await startService()
  await fillCatalog(archiveOf(sessions)).pipe(
    Effect.provide(SqliteFile.layer(SqliteStore.databaseFile(service.data))),
    Effect.scoped,
    Effect.runPromise
  )
  return service
}

const postgres = async (address: string, sessions: number): Promise<Service> => {
  const database = `telemetry_bench_${process.pid}_${sessions}`
  const administer = async (statement: string) => {
    const client = new Client(address)
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await administer(`CREATE DATABASE ${database}`)
  const url = new URL(address)
  url.pathname = database
  const client = PgClient.layer({ url: Redacted.make(url.href) })
  await fillCatalog(archiveOf(sessions)).pipe(
    Effect.provide(Layer.provideMerge(client, PostgresCatalog.layer(url.href))),
    Effect.scoped,
    Effect.runPromise
  )
  const service = await startService(["--catalog", url.href])
  const stop = async (signal?: NodeJS.Signals) => {
    await service.stop(signal)
    await administer(`DROP DATABASE ${database} WITH (FORCE)`)
  }
  return { ...service, stop }
}

const measured = async ({ cpuSeconds, url }: Service, path: string): Promise<Figures> => {
  const target = `${url}/api/v1/${path}`
  const ask = async (requests: number) => {
    const took: Array<number> = []
    while (took.length < requests) took.push(await asked(target))
    return took
  }
  const before = cpuSeconds()
  const took = await ask(REQUESTS)
  const cpu = cpuSeconds() - before
  const asking = new AbortController()
  const meanwhile: Array<number> = []
  const beside = (async () => {
    while (!asking.signal.aborted) meanwhile.push(await asked(`${url}/api/v1/health`))
  })()
  await ask(REQUESTS_BESIDE).finally(() => asking.abort())
  await beside
  return {
    "ms CPU a request": (cpu / REQUESTS) * 1000,
    "ms at best": Math.min(...took),
    "ms at half": quantiles(took).p50,
    "ms of /health beside, 99 %": quantiles(meanwhile).p99
  }
}

const measureAll = async (kind: string, archives: ReadonlyArray<Archive>) => {
  const largest = archives.at(-1)!
  const health = { name: "/health, the largest", run: () => measured(largest.service, "health") }
  for (const path of ROUTES.filter((route) => wanted(route))) {
    for (const { service } of archives) await measured(service, path)
    await compare({
      title: `GET ${decodeURIComponent(path)} (${kind})`,
      subjects: [
        ...archives.map(({ name, service }) => ({ name, run: () => measured(service, path) })),
        health
      ],
      ratios: [
        { figure: "ms CPU a request", of: largest.name, to: archives[0]!.name },
        { figure: "ms CPU a request", of: largest.name, to: health.name }
      ]
    })
  }
}

const opened = async (kind: string, make: (sessions: number) => Promise<Service>) => {
  const archives: Array<Archive> = []
  for (const sessions of SIZES) archives.push({ name: `${sessions} sessions`, service: await make(sessions) })
  await measureAll(kind, archives)
  for (const { service } of archives) await service.stop()
}

await opened("SQLite", sqlite)
if (POSTGRES !== undefined) await opened("PostgreSQL", (sessions) => postgres(POSTGRES, sessions))
