/**
 * What several nodes cost: a message between two of them beside two bare clients of NATS, and live clients spread over one, two and three
 * nodes that share PostgreSQL, QuestDB and NATS, of which the first records; and on two nodes beside a third that stands still.
 *
 * A message's CPU is that of both nodes, without the server's. Deliveries are counted at the clients, which are one process a node; the
 * CPU of a delivery is that of all nodes, without what the same feed costs them with no client. On two cores more nodes deliver no more:
 * the table shows what spreading costs.
 *
 *   npm run bench -- cluster        (needs Go or nats-server, PostgreSQL and QuestDB)
 */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Scope } from "effect"
import { WebSocket } from "ws"
import * as Clustered from "../src/cluster/nats/clustered.ts"
import * as NatsBus from "../src/cluster/nats/NatsBus.ts"
import { encodePoints, encodeSamples, type Points, type Samples } from "../src/cluster/nats/rows.ts"
import { channels } from "../src/domain/pointChannels.ts"
import { RowBatch } from "../src/domain/RowBatch.ts"
import { postgresHere, startPostgres } from "../test/support/servers/postgres.ts"
import { natsServer, startNats } from "../tools/provision/nats.ts"
import { freePorts } from "../tools/provision/serverProcess.ts"
import { serveCar } from "./fanout/feed.ts"
import type { Received, SubscribersOptions } from "./fanout/subscribers.ts"
import { flagOf, withQuestdb } from "./questdbServer.ts"
import { compare, type Figures, scaled, smoke, wanted } from "./suite/comparison.ts"
import { startProgram, startService } from "./suite/programs.ts"

/** A quarter of what the relay hands to a bus that has not answered. */
const AT_ONCE = 16
const ROUNDS = scaled(1000, 3)
const CPU = "us CPU a message"

const filled = <Name extends string>(rows: number, columns: ReadonlyArray<Name>) => {
  const batch = RowBatch.allocate(rows, columns)
  for (let i = 0; i < batch.data.length; i++) batch.data[i] = Math.sin(i)
  return batch
}
const pointsOf = (rows: number): Points => ({
  type: "points",
  sessionId: 1,
  batch: filled(rows, channels),
  first: 1
})
const names = ["timestamp", ...Array.from({ length: 160 }, (_, n) => `c${n}`)]
const samples: Samples = {
  type: "samples",
  sessionId: 1,
  groups: [{ group: "all", batch: filled(3, names) }]
}

const loads: ReadonlyArray<readonly [title: string, update: Points | Samples, bytes: Uint8Array]> = [
  ["a point", pointsOf(1), encodePoints(pointsOf(1))[0]!],
  ["50 ms at 1 kHz", pointsOf(50), encodePoints(pointsOf(50))[0]!],
  ["50 ms of 160 channels at 60 Hz", samples, encodeSamples(samples)[0]!]
]

/** Sends AT_ONCE messages, waits until each has arrived or was left out, and so on. */
const passed = async (send: () => void, done: () => number): Promise<Figures> => {
  const before = process.cpuUsage()
  const began = performance.now()
  for (let round = 1; round <= ROUNDS; round++) {
    for (let n = 0; n < AT_ONCE; n++) send()
    while (done() < round * AT_ONCE) await new Promise(setImmediate)
  }
  const { system, user } = process.cpuUsage(before)
  const messages = ROUNDS * AT_ONCE
  return {
    [CPU]: (user + system) / messages,
    "messages a second": messages / ((performance.now() - began) / 1000)
  }
}

const leftOutOf = ({ families }: Clustered.Clustered): number =>
  Number(families().find(({ name }) => name === "telemetry_relay_left_out_total")?.samples[0]?.value ?? 0)

/** `run`: as long as the server runs. */
const messages = async (url: string, run: <A, E>(made: Effect.Effect<A, E, Scope.Scope>) => Promise<A>) => {
  const busOf = (name: string) =>
    run(NatsBus.make({ servers: [url], credentials: undefined, cluster: "bench", name }))
  const sender = await run(Clustered.make(await busOf("a"), "a"))
  const receiver = await run(Clustered.make(await busOf("b"), "b"))
  receiver.publish({ type: "watch", watched: [{ channels: ["*"], sessions: undefined }], points: "all" })
  while (!sender.peers().some(({ watched }) => watched.length > 0)) await new Promise(setImmediate)
  let relayed = 0
  await run(receiver.subscribe(({ type }) => void (type === "points" || type === "samples" ? relayed++ : 0)))
  const [bareSender, bareReceiver] = [await busOf("c"), await busOf("d")]
  let bare = 0
  bareReceiver.subscribe("bare", () => void bare++)
  await bareReceiver.flush()

  for (const [title, update, bytes] of loads) {
    const relay = async () => {
      relayed = 0
      const before = leftOutOf(sender)
      const figures = await passed(
        () => sender.publish(update),
        () => relayed + leftOutOf(sender) - before
      )
      return { ...figures, "share left out": (leftOutOf(sender) - before) / (ROUNDS * AT_ONCE) }
    }
    const plain = () => {
      bare = 0
      return passed(
        () => bareSender.publish("bare", bytes),
        () => bare
      )
    }
    await compare({
      title: `relay of ${title}, ${bytes.length} bytes`,
      subjects: [
        { name: "the relay", run: relay },
        { name: "bare clients", run: plain }
      ],
      ratios: [{ figure: CPU, of: "the relay", to: "bare clients" }]
    })
  }
}

const SUBSCRIBERS = scaled(600, 12)
const RATE = 60
const SECONDS = scaled(5, 0.5)
const DELIVERY = "us CPU a delivery"
const P99 = "ms latency p99"

/** `beside`: a further node, with one live client, that stands still while the others are measured. */
const fanout = async (
  { beside, nodes }: { readonly nodes: number; readonly beside?: true },
  flags: ReadonlyArray<string>
): Promise<Figures> => {
  const feed = await serveCar()
  const services = await Promise.all(Array.from({ length: nodes }, () => startService(flags)))
  const still = beside && (await startService(flags))
  const watching = still && new WebSocket(`${still.url.replace("http", "ws")}/api/v1/telemetry/live`)
  if (watching !== undefined) await once(watching, "open")
  const cpuSeconds = () => services.reduce((sum, one) => sum + one.cpuSeconds(), 0)
  const api = `${services[0]!.url}/api/v1`
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(api + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  }
  const connection = { host: "127.0.0.1", port: feed.port, app_name: "bench" }
  await ask("PUT", "/config", {
    connection,
    telemetry_rate: 10_000,
    auto_export: false,
    export_format: "csv"
  })
  await ask("POST", "/connect", { ...connection, simulator: "native" })
  const due = RATE * SECONDS
  await (smoke ? feed.send(60, 600) : feed.send(10_000, 2500))
  const idleBefore = cpuSeconds()
  await feed.send(due, RATE)
  const idle = cpuSeconds() - idleBefore

  const warmUp = RATE
  const clients = await Promise.all(
    services.map(({ url }) => {
      const options: SubscribersOptions = {
        url: `${url}/api/v1/telemetry/live`,
        protocol: "websocket",
        warmUp,
        messages: due,
        clients: SUBSCRIBERS / nodes,
        read: true
      }
      return startProgram("fanout/subscribers.ts", [JSON.stringify(options)])
    })
  )
  await feed.send(warmUp, RATE)
  await Promise.all(clients.map((one) => one.nextLine()))
  if (still !== undefined) process.kill(still.pid, "SIGSTOP")
  const before = cpuSeconds()
  const began = performance.now()
  await feed.send(due, RATE)
  const received = (await Promise.all(clients.map((one) => one.nextLine()))).map(
    (line) => JSON.parse(line) as Received
  )
  const took = (performance.now() - began) / 1000
  const cpu = cpuSeconds() - before
  if (still !== undefined) process.kill(still.pid, "SIGCONT")
  watching?.close()
  await still?.stop()
  // The nodes of the next run would take the connection over.
  await ask("POST", "/disconnect")
  await Promise.all([...clients, ...services].map((one) => one.stop()))
  feed.close()
  const delivered = received.reduce((sum, one) => sum + one.messages, 0)
  if (delivered !== due * SUBSCRIBERS || received.some(({ disordered }) => disordered > 0)) {
    throw new Error(
      `${due * SUBSCRIBERS} messages were to be delivered in order: ${JSON.stringify(received)}`
    )
  }
  return {
    [DELIVERY]: ((cpu - idle) * 1e6) / delivered,
    "k delivered a second": delivered / took / 1000,
    "ms latency p50": Math.max(...received.map(({ p50 }) => p50)),
    [P99]: Math.max(...received.map(({ p99 }) => p99)),
    "cores of the nodes": cpu / took
  }
}

const BESIDE = "2 nodes beside one that stands still"
const nameOf = (nodes: number) => `${nodes} ${nodes === 1 ? "node" : "nodes"}`

const program = natsServer()
if (program === undefined || postgresHere.missing !== undefined) {
  console.log(`cluster is skipped: ${postgresHere.missing ?? "it needs Go, by which nats-server comes"}`)
} else {
  await withQuestdb("cluster", (questdb) =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const run = <A, E>(made: Effect.Effect<A, E, Scope.Scope>) =>
        Effect.runPromise(Scope.extend(made, scope))
      const folder = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
      const [port = 0] = yield* Effect.promise(() => freePorts(1))
      const nats = yield* startNats(program, { folder, port })
      const postgres = yield* startPostgres(tmpdir())
      if (wanted("relay")) yield* Effect.promise(() => messages(nats.url, run))
      let runs = 0
      yield* Effect.promise(() =>
        compare({
          title: `${SUBSCRIBERS} live clients at ${RATE} Hz, by nodes`,
          subjects: [
            ...[1, 2, 3].map((nodes) => ({ name: nameOf(nodes), setting: { nodes } })),
            { name: BESIDE, setting: { nodes: 2, beside: true as const } }
          ].map(({ name, setting }) => ({
            name,
            run: () => {
              const points = flagOf(questdb.at(`run${runs++}_`))
              return fanout(setting, ["--points", points, "--catalog", postgres.url, "--relay", nats.url])
            }
          })),
          ratios: [
            ...[2, 3].map((nodes) => ({ figure: DELIVERY, of: nameOf(nodes), to: nameOf(1) })),
            { figure: P99, of: BESIDE, to: nameOf(2), goal: { most: 2 } }
          ]
        })
      )
    }).pipe(Effect.scoped, Effect.runPromise)
  )
}
