/** A QuestDB of the benchmark's own, with its defaults, and driven laps to put into it. */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Either } from "effect"
import { channels } from "../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../src/domain/RowBatch.ts"
import { questdbJar, startQuestdb } from "../tools/provision/questdb.ts"
import { freePorts } from "../tools/provision/serverProcess.ts"
import { circuitNamed } from "../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../simulator/model/vehicles.ts"
import { type QuestdbAddress, readQuestdbAddress } from "../src/platform/addresses/questdb.ts"
import { tablesOf } from "../src/store/questdb/schema.ts"

/** Rate of the drive, Hz, and the points of a batch: as many as the store's writer takes at once when it is busy. */
const RATE = 1000
const BATCH = 10_000
const EPOCH = 1_700_000_000

export const drivenBatches = (points: number): ReadonlyArray<PointBatch> => {
  const drive = new SimulatedDrive({ circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, seed: 1 })
  return Array.from({ length: points / BATCH }, (_, index) => {
    const { data } = drive.points(index * BATCH, BATCH, RATE).batch
    const batch = new RowBatch(BATCH, data, channels)
    for (let i = 0; i < BATCH; i++) batch.timestamps[i] = EPOCH + (index * BATCH + i) / RATE
    return batch
  })
}

/** Runs one statement over HTTP. */
export const sql = async ({ host, port }: QuestdbAddress, query: string) => {
  const answer = await fetch(`http://${host}:${port}/exec?query=${encodeURIComponent(query)}`)
  const { dataset = [], error } = (await answer.json()) as {
    readonly dataset?: ReadonlyArray<ReadonlyArray<unknown>>
    readonly error?: string
  }
  if (error !== undefined) throw new Error(`${query}: ${error}`)
  return dataset
}

/** Waits until rows are applied, and counts them: the points, or those of another table. */
export const countApplied = async (
  address: QuestdbAddress,
  table: string = tablesOf(address.prefix).points
): Promise<number> => {
  await sql(address, `SELECT wait_wal_table('${table}')`)
  const [[rows] = []] = await sql(address, `SELECT count() FROM ${table}`)
  return Number(rows)
}

/** The address in the form of the service's `--points`. */
export const flagOf = ({ host, pgPort, port, prefix }: QuestdbAddress) =>
  `questdb://${host}:${port}?pg=${pgPort}&prefix=${prefix}`

/** The same server through a relay that counts the bytes of PGWire's answers. */
export const countingRelay = async (address: QuestdbAddress) => {
  let bytes = 0
  const relay = createServer((reader) => {
    const server = connect(address.pgPort, address.host)
    server.on("data", (data) => (bytes += data.length))
    reader.on("error", () => server.destroy())
    server.on("error", () => reader.destroy())
    server.pipe(reader).pipe(server)
  }).listen(0, "127.0.0.1")
  await once(relay, "listening")
  const { port: pgPort } = relay.address() as AddressInfo
  return { address: { ...address, pgPort }, bytes: () => bytes, close: () => relay.close() }
}

export interface Questdb {
  /** Its address, with this prefix for tables. */
  readonly at: (prefix: string) => QuestdbAddress
  readonly pid: number
  /** The folder of its tables. */
  readonly tables: string
}

/** Runs `body` with a server; says why if no server can be started. */
export const withQuestdb = (name: string, body: (questdb: Questdb) => Promise<void>): Promise<void> => {
  const jar = questdbJar()
  if (jar === undefined) {
    console.log(`${name} is skipped: it needs Java and Maven, from which QuestDB's jar comes`)
    return Promise.resolve()
  }
  return Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "telemetry-bench-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
    )
    const [http = 0, pg = 0] = yield* Effect.promise(() => freePorts(2))
    const { child } = yield* startQuestdb(jar, { folder, http, pg, small: false })
    const at = (prefix: string) =>
      Either.getOrThrow(readQuestdbAddress(`questdb://127.0.0.1:${http}?pg=${pg}&prefix=${prefix}`))
    yield* Effect.promise(() => body({ at, pid: child.pid!, tables: join(folder, "db") }))
  }).pipe(Effect.scoped, Effect.runPromise)
}
