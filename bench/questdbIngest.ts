/**
 * Points into QuestDB, side by side: the official client; our store as the service uses it, from columnar batches to rows
 * that are applied; and bytes that were encoded before the clock started, which is the most that the protocol gives.
 *
 * A run ends when the server has applied all rows, which are then counted on it. Runs alternate, each into tables of its
 * own; one row is 10 doubles, a symbol and a nanosecond timestamp, and a request has 50,000 rows in each.
 *
 *   npm run bench -- questdbIngest        (ROWS, RUNS by environment)
 */
import { Agent, request } from "node:http"
import { Sender } from "@questdb/nodejs-client"
import { Effect, ManagedRuntime } from "effect"
import { channels } from "../src/domain/PointBatch.ts"
import { PointStore } from "../src/store/PointStore.ts"
import type { QuestdbAddress } from "../src/store/questdb/address.ts"
import * as QuestdbStore from "../src/store/questdb/QuestdbStore.ts"
import { RowEncoder } from "../src/store/questdb/RowEncoder.ts"
import { columnOf, definitions, tablesOf } from "../src/store/questdb/schema.ts"
import { median, setting, spread, timed } from "./suite/figures.ts"
import { drivenBatches, sql, withQuestdb } from "./questdbServer.ts"

const ROWS = setting("ROWS", 1_000_000)
const RUNS = setting("RUNS", 5)
const ROWS_PER_REQUEST = 50_000
/** Rows of our store's one write: what the intake hands over when the service is busy. */
const BATCHES_PER_WRITE = 10

const batches = drivenBatches(ROWS)

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
  const store = await runtime.runPromise(PointStore)
  return async () => {
    for (let at = 0; at < batches.length; at += BATCHES_PER_WRITE) {
      const some = batches.slice(at, at + BATCHES_PER_WRITE)
      await runtime.runPromise(store.write(some.map((batch) => ({ sessionId: 1, batch }))))
    }
    await runtime.runPromise(Effect.scoped(store.check))
    await runtime.dispose()
  }
}

const post = (agent: Agent, { host, port }: QuestdbAddress, body: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request({ agent, host, port, method: "POST", path: "/write?precision=n" }, (answer) => {
      answer.resume()
      answer.once("end", () =>
        answer.statusCode === 204 ? resolve() : reject(new Error(`status ${answer.statusCode}`))
      )
    })
    sent.once("error", reject)
    sent.setHeader("content-length", body.length)
    sent.end(body)
  })

const encoded: Way = async (address) => {
  const encoder = new RowEncoder(tablesOf(address.prefix).points)
  const requests: Array<Uint8Array> = []
  for (let at = 0; at < batches.length; at += ROWS_PER_REQUEST / batches[0]!.length) {
    encoder.clear()
    for (const batch of batches.slice(at, at + ROWS_PER_REQUEST / batches[0]!.length)) {
      encoder.add("1", batch, 0, batch.length)
    }
    requests.push(Uint8Array.from(encoder.bytes))
  }
  return async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const body of requests) await post(agent, address, body)
    agent.destroy()
  }
}

const ways = { "official client": client, "our store": ours, "encoded before": encoded }
type Name = keyof typeof ways
const names = Object.keys(ways) as ReadonlyArray<Name>

await withQuestdb("questdbIngest", async (at) => {
  const rates: Record<Name, Array<number>> = { "official client": [], "our store": [], "encoded before": [] }
  const cpu: Record<Name, Array<number>> = { "official client": [], "our store": [], "encoded before": [] }
  // The first round warms the server up, and is in no figure.
  for (let run = 0; run <= RUNS; run++) {
    for (const [n, name] of names.entries()) {
      const address = at(`r${run}_${n}_`)
      const tables = tablesOf(address.prefix)
      for (const text of definitions(tables, undefined)) await sql(address, text)
      const send = await ways[name](address)
      const { cpuSeconds, seconds } = await timed(async () => {
        await send()
        await sql(address, `SELECT wait_wal_table('${tables.points}')`)
      })
      const [[rows] = []] = await sql(address, `SELECT count() FROM ${tables.points}`)
      if (rows !== ROWS) throw new Error(`${name}: the server has ${String(rows)} rows of ${ROWS}`)
      await sql(address, `DROP TABLE ${tables.points}`)
      if (run === 0) continue
      rates[name].push(ROWS / seconds / 1000)
      cpu[name].push((cpuSeconds / ROWS) * 1e6)
    }
  }
  console.log(`questdbIngest: ${ROWS} rows applied and counted, ${RUNS} runs each, medians (least to most)`)
  for (const name of names) {
    console.log(
      `${name.padEnd(16)} ${spread(rates[name], 0)} thousand rows/s, ${median(cpu[name]).toFixed(2)} us of Node's CPU a row`
    )
  }
  const of = (name: Name) => median(rates["our store"]) / median(rates[name])
  console.log(
    `our store is ${of("official client").toFixed(1)} times the official client (wanted: 5), and ${of("encoded before").toFixed(2)} of what the protocol gives (wanted: 0.5)`
  )
})
