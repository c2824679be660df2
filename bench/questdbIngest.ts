/**
 * Points into QuestDB, side by side: the official client; our store as the service uses it, from columnar batches to
 * applied rows; bytes that were encoded before the clock started, which is the protocol's maximum; and the whole
 * service, from a packed feed's socket on.
 *
 * A run ends when the server has applied all rows, which are then counted on it. Each run writes into tables of its
 * own; a row is 10 doubles, a symbol and a nanosecond timestamp, and a request has 50,000 rows.
 *
 *   npm run bench -- questdbIngest        (ROWS, RUNS by environment)
 */
import { Agent } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Sender } from "@questdb/nodejs-client"
import { ManagedRuntime } from "effect"
import { POINTS } from "../src/domain/Dictionary.ts"
import { channels } from "../src/domain/pointChannels.ts"
import { RowStore } from "../src/store/RowStore.ts"
import type { QuestdbAddress } from "../src/platform/addresses/questdb.ts"
import * as QuestdbStore from "../src/store/questdb/QuestdbStore.ts"
import { RowEncoder } from "../src/store/questdb/RowEncoder.ts"
import { RowLayout } from "../src/store/questdb/RowLayout.ts"
import { columnOf, definitions, tablesOf } from "../src/store/questdb/schema.ts"
import { countApplied, drivenBatches, flagOf, sql, withQuestdb } from "./questdbServer.ts"
import { monotonic } from "./suite/clock.ts"
import { compare, type Figures, scaled, smoke } from "./suite/comparison.ts"
import { setting, timed } from "./suite/figures.ts"
import type { PackedFeedsOptions, SendTimes } from "./suite/packedFeeds.ts"
import { postRows } from "./suite/postRows.ts"
import { startProgram, startService } from "./suite/programs.ts"

const ROWS = setting("ROWS", scaled(1_000_000, 20_000))
const ROWS_PER_REQUEST = 50_000
/** Batches in one write of our store: as many as the intake passes on when the service is busy. */
const BATCHES_PER_WRITE = 10
const POINTS_PER_MESSAGE = 100

const RATE = "thousand rows/s"
const CPU = "us of Node's CPU a row"

const batches = drivenBatches(ROWS)

/** Prepares the rows; the returned function sends them. */
type Way = (address: QuestdbAddress) => Promise<() => Promise<void>>

const client: Way = async ({ host, port, prefix }) => {
  const { points } = tablesOf(prefix)
  const names = channels.map(columnOf)
  return async () => {
    const sender = await Sender.fromConfig(
      `http::addr=${host}:${port};protocol_version=2;auto_flush_rows=${ROWS_PER_REQUEST};auto_flush_interval=0`
    )
    for (const { data, length } of batches) {
      for (let i = 0; i < length; i++) {
        sender.table(points).symbol("session", "1")
        for (let c = 0; c < names.length; c++) sender.floatColumn(names[c]!, data[c * length + i]!)
        await sender.at(BigInt(Math.round(data[i]! * 1e6)) * 1000n, "ns")
      }
    }
    await sender.flush()
    await sender.close()
  }
}

const ours: Way = async (address) => {
  const runtime = ManagedRuntime.make(QuestdbStore.server(address))
  const store = await runtime.runPromise(RowStore)
  return async () => {
    for (let at = 0; at < batches.length; at += BATCHES_PER_WRITE) {
      const some = batches.slice(at, at + BATCHES_PER_WRITE)
      await runtime.runPromise(store.write(some.map((batch) => ({ sessionId: 1, group: POINTS, batch }))))
    }
    await runtime.runPromise(store.check)
    await runtime.dispose()
  }
}

const encoded: Way = async (address) => {
  const encoder = new RowEncoder()
  const layout = new RowLayout(tablesOf(address.prefix).points, channels)
  const requests: Array<Uint8Array> = []
  for (let at = 0; at < batches.length; at += ROWS_PER_REQUEST / batches[0]!.length) {
    encoder.clear()
    for (const batch of batches.slice(at, at + ROWS_PER_REQUEST / batches[0]!.length)) {
      encoder.add(layout, "1", batch, 0, batch.length)
    }
    requests.push(Uint8Array.from(encoder.bytes))
  }
  return async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const body of requests) await postRows(agent, address, body)
    agent.destroy()
  }
}

const all = (name: string, rows: number, wanted: number) => {
  if (rows !== wanted) throw new Error(`${name}: the server has ${rows} rows of ${wanted}`)
}

const figuresOf = (seconds: number, cpuSeconds: number): Figures => ({
  [RATE]: ROWS / seconds / 1000,
  [CPU]: (cpuSeconds / ROWS) * 1e6
})

const measured = (name: string, way: Way) => async (address: QuestdbAddress) => {
  for (const { text } of definitions(tablesOf(address.prefix), undefined)) await sql(address, text)
  const send = await way(address)
  let rows = 0
  const { cpuSeconds, seconds } = await timed(async () => {
    await send()
    rows = await countApplied(address)
  })
  all(name, rows, ROWS)
  return figuresOf(seconds, cpuSeconds)
}

/** Sends a feed's points of this rate, Hz, into the service until all are stored; returns when the first was sent. */
const recorded = async (service: string, points: number, rate: number): Promise<number> => {
  const options: PackedFeedsOptions = {
    feeds: 1,
    points,
    perMessage: POINTS_PER_MESSAGE,
    rate,
    realTime: false
  }
  const feed = await startProgram("suite/packedFeeds.ts", [JSON.stringify(options)])
  const [port] = JSON.parse(feed.line) as ReadonlyArray<number>
  const link = { host: "127.0.0.1", port, app_name: "bench", simulator: "native" }
  const ask = (method: string, path: string, body?: object) =>
    fetch(`${service}/api/v1/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  await ask("POST", "connect", link)
  for (;;) {
    const { connections } = (await (await ask("GET", "status")).json()) as {
      readonly connections: ReadonlyArray<{ readonly points_stored: number }>
    }
    if (connections[0]?.points_stored === points) break
    await sleep(10)
  }
  const { first } = JSON.parse(await feed.nextLine()) as SendTimes
  await ask("POST", "disconnect", link)
  await feed.stop()
  return first
}

/**
 * Recorded first, so that the service is not measured while its code is being compiled. Their timestamps span a few seconds and lie
 * before those that follow, because QuestDB merges rows that lie between others at a third of the rate.
 */
const WARM_UP_ROWS = ROWS / 4
const WARM_UP_HZ = 1_000_000
const HZ = 1000

const service = async (address: QuestdbAddress) => {
  const program = await startService(["--points", flagOf(address)])
  await recorded(program.url, WARM_UP_ROWS, WARM_UP_HZ)
  // The server applies rows after it has acknowledged them, and must not still do so while the clock runs.
  await countApplied(address)
  const before = program.cpuSeconds()
  const first = await recorded(program.url, ROWS, HZ)
  const rows = await countApplied(address)
  const figures = figuresOf(monotonic() - first, program.cpuSeconds() - before)
  all("the service", rows, WARM_UP_ROWS + ROWS)
  await program.stop()
  return figures
}

const CLIENT = "official client"
const STORE = "our store"
const CEILING = "encoded before"
const SERVICE = "the whole service"

await withQuestdb("questdbIngest", async ({ at }) => {
  let prefixes = 0
  /** Runs in tables of its own, which are removed. */
  const subject = (name: string, run: (address: QuestdbAddress) => Promise<Figures>) => ({
    name,
    run: async () => {
      const address = at(`r${prefixes++}_`)
      const figures = await run(address)
      await sql(address, `DROP TABLE ${tablesOf(address.prefix).points}`)
      return figures
    }
  })
  const subjects = [
    subject(CLIENT, measured(CLIENT, client)),
    subject(STORE, measured(STORE, ours)),
    subject(CEILING, measured(CEILING, encoded)),
    subject(SERVICE, service)
  ]
  // A first round outside the figures: the server compiles its code, too.
  if (!smoke) for (const { run } of subjects) await run()
  await compare({
    title: `into QuestDB: ${ROWS} rows applied and counted`,
    subjects,
    ratios: [
      { figure: RATE, of: STORE, to: CLIENT, goal: { least: 5 } },
      { figure: RATE, of: STORE, to: CEILING, goal: { least: 0.5 } },
      { figure: RATE, of: SERVICE, to: CEILING, goal: { least: 0.5 } }
    ]
  })
})
