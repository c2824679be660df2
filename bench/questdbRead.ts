/**
 * Points out of QuestDB, side by side. All points: `pg` with an object for each row, in one answer and in the pages
 * that we request, and our store, which decodes binary pages into columns. Every Nth point: read whole and thinned
 * here, and thinned by the server. The result is checked by its count and the sum of a column.
 *
 *   npm run bench -- questdbRead        (ROWS, THINNED_ROWS, RUNS by environment)
 */
import { Effect, ManagedRuntime, Stream } from "effect"
import { Client } from "pg"
import { POINTS } from "../src/domain/Dictionary.ts"
import { channels } from "../src/domain/pointChannels.ts"
import type { PointBatch } from "../src/domain/RowBatch.ts"
import { RowStore } from "../src/store/RowStore.ts"
import type { QuestdbAddress } from "../src/platform/addresses/questdb.ts"
import * as QuestdbStore from "../src/store/questdb/QuestdbStore.ts"
import { columnOf, tablesOf } from "../src/store/questdb/schema.ts"
import { thin } from "../src/store/thinning.ts"
import { countingRelay, drivenBatches, type Questdb, withQuestdb } from "./questdbServer.ts"
import { compare, type Figures, scaled, smoke, type Subject } from "./suite/comparison.ts"
import { setting, timed } from "./suite/figures.ts"
import { cpuSecondsOf } from "./suite/programs.ts"

const ROWS = setting("ROWS", scaled(300_000, 20_000))
const THINNED_ROWS = setting("THINNED_ROWS", scaled(1_000_000, 20_000))
/** For a session at 1000 Hz: 2,000 points of a million, which fill a screen, and a point a second. */
const EVERY = [500, 1000]
/** The same as our store's. */
const PAGE = 8192

const RATE = "thousand rows/s"
const TIME = "ms"

/** Result of a reader: the number of points, and the sum of their speeds. */
interface Seen {
  readonly points: number
  readonly sum: number
}

type Row = Readonly<Record<string, number>>

const selected = (address: QuestdbAddress, sessionId: number) =>
  `SELECT ${channels.map(columnOf).join(", ")} FROM ${tablesOf(address.prefix).points} WHERE session = '${sessionId}'`

const ofRows = (rows: ReadonlyArray<Row>): Seen => ({
  points: rows.length,
  sum: rows.reduce((sum, row) => sum + row["speed"]!, 0)
})

const whole = async (client: Client, address: QuestdbAddress): Promise<Seen> => {
  const { rows } = await client.query<Row>(`${selected(address, 1)} ORDER BY ts`)
  return ofRows(rows)
}

const paged = async (client: Client, address: QuestdbAddress): Promise<Seen> => {
  const seen = { points: 0, sum: 0 }
  let after = 0
  for (;;) {
    const from = BigInt(Math.floor(after * 1e6)) * 1000n
    const { rows } = await client.query<Row>(
      `${selected(address, 1)} AND ts >= ${from} AND time > ${after} ORDER BY ts LIMIT ${PAGE}`
    )
    const { points, sum } = ofRows(rows)
    seen.points += points
    seen.sum += sum
    if (rows.length < PAGE) return seen
    after = rows.at(-1)!["time"]!
  }
}

const ofBatches = (batches: Iterable<PointBatch>): Seen => {
  const seen = { points: 0, sum: 0 }
  for (const batch of batches) {
    seen.points += batch.length
    for (const speed of batch.column("speed")) seen.sum += speed
  }
  return seen
}

const check = (name: string, { points, sum }: Seen, expected: Seen) => {
  const same = points === expected.points && Math.abs(sum - expected.sum) <= 1e-9 * expected.sum
  if (!same) throw new Error(`${name} read ${points} points of ${expected.points}, or others`)
}

/** Runs of reads that must give `expected`; both ends are measured. */
const subjectsOf = (
  { pid }: Questdb,
  ways: Readonly<Record<string, () => Promise<Seen>>>,
  expected: Seen,
  figures: (seconds: number, cpuSeconds: number, serverSeconds: number, name: string) => Figures
): ReadonlyArray<Subject> =>
  Object.entries(ways).map(([name, way]) => ({
    name,
    run: async () => {
      const before = cpuSecondsOf(pid)
      let seen: Seen = { points: 0, sum: 0 }
      const { cpuSeconds, seconds } = await timed(async () => {
        seen = await way()
      })
      check(name, seen, expected)
      return figures(seconds, cpuSeconds, cpuSecondsOf(pid) - before, name)
    }
  }))

/** A round outside the figures: both sides compile their code. */
const warmUp = async (subjects: ReadonlyArray<Subject>) => {
  if (!smoke) for (const { run } of subjects) await run()
}

const everything = (sessionId: number) => ({
  sessionId,
  group: POINTS,
  from: -Infinity,
  until: Infinity
})
const read = (stream: Stream.Stream<PointBatch, unknown>) =>
  Effect.runPromise(Effect.map(Stream.runCollect(stream), ofBatches))

const opened = async (address: QuestdbAddress) => {
  const runtime = ManagedRuntime.make(QuestdbStore.server(address))
  const store = await runtime.runPromise(RowStore)
  return {
    write: (sessionId: number, batches: ReadonlyArray<PointBatch>) =>
      runtime.runPromise(store.write(batches.map((batch) => ({ sessionId, group: POINTS, batch })))),
    all: (sessionId: number) => read(store.read(everything(sessionId), channels)),
    thinnedHere: (sessionId: number, every: number) =>
      read(thin(every)(store.read(everything(sessionId), channels))),
    thinnedThere: (sessionId: number, every: number) =>
      read(store.readEvery(everything(sessionId), channels, every)),
    close: () => runtime.dispose()
  }
}
type Opened = Awaited<ReturnType<typeof opened>>

const readAll = async (questdb: Questdb, address: QuestdbAddress, store: Opened, expected: Seen) => {
  const { host, password, pgPort, user } = address
  const client = new Client({ host, port: pgPort, user, password, database: "qdb" })
  await client.connect()
  const OURS = "our store"
  const ways = {
    "pg objects, one answer": () => whole(client, address),
    "pg objects, pages": () => paged(client, address),
    [OURS]: () => store.all(1)
  }
  const subjects = subjectsOf(questdb, ways, expected, (seconds, cpuSeconds) => ({
    [RATE]: ROWS / seconds / 1000,
    "us of Node's CPU a row": (cpuSeconds / ROWS) * 1e6
  }))
  await warmUp(subjects)
  await compare({
    title: `out of QuestDB: ${ROWS} rows of 10 doubles`,
    subjects,
    ratios: Object.keys(ways)
      .filter((name) => name !== OURS)
      .map((to) => ({ figure: RATE, of: OURS, to, goal: { least: 2.5 } }))
  })
  await client.end()
}

const readThinned = async (questdb: Questdb, address: QuestdbAddress, store: Opened, every: number) => {
  const HERE = "read whole, thinned here"
  const THERE = "thinned by the server"
  const over = (through: Opened) => ({
    [HERE]: () => through.thinnedHere(2, every),
    [THERE]: () => through.thinnedThere(2, every)
  })
  const expected = await store.thinnedHere(2, every)
  const points = Math.ceil(THINNED_ROWS / every) + ((THINNED_ROWS - 1) % every === 0 ? 0 : 1)
  if (expected.points !== points) throw new Error(`${expected.points} points were kept, not ${points}`)
  // The bytes are the same at each run, and counting them would disturb it: they are counted once, outside the clock.
  const relay = await countingRelay(address)
  const through = await opened(relay.address)
  const wire: Record<string, number> = {}
  for (const [name, way] of Object.entries(over(through))) {
    const before = relay.bytes()
    check(name, await way(), expected)
    wire[name] = (relay.bytes() - before) / 1e6
  }
  await through.close()
  relay.close()
  const subjects = subjectsOf(questdb, over(store), expected, (seconds, cpuSeconds, serverSeconds, name) => ({
    [TIME]: seconds * 1000,
    "MB over the wire": wire[name]!,
    "ms of Node's CPU": cpuSeconds * 1000,
    "ms of the server's CPU": serverSeconds * 1000
  }))
  await warmUp(subjects)
  await compare({
    title: `every ${every}th of ${THINNED_ROWS} points out of QuestDB: ${points} points`,
    subjects,
    ratios: [TIME, "MB over the wire", "ms of Node's CPU"].map((figure) => ({ figure, of: THERE, to: HERE }))
  })
}

await withQuestdb("questdbRead", async (questdb) => {
  const address = questdb.at("")
  const store = await opened(address)
  const batches = drivenBatches(ROWS)
  await store.write(1, batches)
  await store.write(2, drivenBatches(THINNED_ROWS))
  await readAll(questdb, address, store, ofBatches(batches))
  for (const every of EVERY) await readThinned(questdb, address, store, every)
  await store.close()
})
