/**
 * Points out of QuestDB, side by side: `pg` with an object a row, all in one answer and in the pages that we ask for,
 * and our store, which decodes binary pages into columns. All ends are checked by the sum of a column.
 *
 *   npm run bench -- questdbRead        (ROWS, RUNS by environment)
 */
import { Effect, ManagedRuntime, Stream } from "effect"
import { Client } from "pg"
import { channels } from "../src/domain/PointBatch.ts"
import { PointStore } from "../src/store/PointStore.ts"
import type { QuestdbAddress } from "../src/store/questdb/address.ts"
import * as QuestdbStore from "../src/store/questdb/QuestdbStore.ts"
import { columnOf, tablesOf } from "../src/store/questdb/schema.ts"
import { median, setting, spread, timed } from "./suite/figures.ts"
import { drivenBatches, withQuestdb } from "./questdbServer.ts"

const ROWS = setting("ROWS", 300_000)
const RUNS = setting("RUNS", 5)
/** As our store asks. */
const PAGE = 8192

type Row = Readonly<Record<string, number>>

const selected = (address: QuestdbAddress) =>
  `SELECT ${channels.map(columnOf).join(", ")} FROM ${tablesOf(address.prefix).points} WHERE session = '1'`

const sumOf = (rows: ReadonlyArray<Row>) => rows.reduce((sum, row) => sum + row["speed"]!, 0)

const whole = async (client: Client, address: QuestdbAddress) => {
  const { rows } = await client.query<Row>(`${selected(address)} ORDER BY ts`)
  return sumOf(rows)
}

const paged = async (client: Client, address: QuestdbAddress) => {
  let sum = 0
  let after = 0
  for (;;) {
    const from = BigInt(Math.floor(after * 1e6)) * 1000n
    const { rows } = await client.query<Row>(
      `${selected(address)} AND ts >= ${from} AND time > ${after} ORDER BY ts LIMIT ${PAGE}`
    )
    sum += sumOf(rows)
    if (rows.length < PAGE) return sum
    after = rows.at(-1)!["time"]!
  }
}

await withQuestdb("questdbRead", async (at) => {
  const address = at("")
  const batches = drivenBatches(ROWS)
  const expected = batches.reduce((sum, batch) => batch.column("speed").reduce((a, b) => a + b, sum), 0)
  const runtime = ManagedRuntime.make(QuestdbStore.server(address))
  const store = await runtime.runPromise(PointStore)
  await runtime.runPromise(store.write(batches.map((batch) => ({ sessionId: 1, batch }))))
  await runtime.runPromise(store.check)
  const { host, password, pgPort, user } = address
  const client = new Client({ host, port: pgPort, user, password, database: "qdb" })
  await client.connect()

  const ours = () =>
    runtime.runPromise(
      Stream.runFold(store.read({ sessionId: 1, from: -Infinity, until: Infinity }), 0, (sum, batch) =>
        batch.column("speed").reduce((a, b) => a + b, sum)
      )
    )
  const ways = {
    "pg objects, one answer": () => whole(client, address),
    "pg objects, pages": () => paged(client, address),
    "our store": ours
  }
  type Name = keyof typeof ways
  const names = Object.keys(ways) as ReadonlyArray<Name>
  const rates = new Map<Name, Array<number>>(names.map((name) => [name, []]))
  const cpu = new Map<Name, Array<number>>(names.map((name) => [name, []]))
  for (let run = 0; run <= RUNS; run++) {
    for (const name of names) {
      let sum = 0
      const { cpuSeconds, seconds } = await timed(async () => {
        sum = await ways[name]()
      })
      if (Math.abs(sum - expected) > 1e-9 * expected) throw new Error(`${name} read other points`)
      if (run === 0) continue
      rates.get(name)!.push(ROWS / seconds / 1000)
      cpu.get(name)!.push((cpuSeconds / ROWS) * 1e6)
    }
  }
  await client.end()
  await Effect.runPromise(runtime.disposeEffect)
  console.log(`questdbRead: ${ROWS} rows of 10 doubles, ${RUNS} runs each, medians (least to most)`)
  for (const name of names) {
    console.log(
      `${name.padEnd(22)} ${spread(rates.get(name)!, 0)} thousand rows/s, ${median(cpu.get(name)!).toFixed(2)} us of Node's CPU a row`
    )
  }
  const of = (name: Name) => (median(rates.get("our store")!) / median(rates.get(name)!)).toFixed(1)
  console.log(
    `our store is ${of("pg objects, one answer")} times pg in one answer, and ${of("pg objects, pages")} times pg in pages (wanted: 2.5)`
  )
})
