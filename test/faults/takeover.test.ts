/**
 * A node of a cluster that is killed, or stands still, while it records: another goes on with the same session. Every point that was
 * acknowledged is there once, in order and to the last bit; what a node writes after it was taken over is never read.
 *
 * `TELEMETRY_FAULTS_SEED=7` chooses the same faults again (their moments are the machine's), `TELEMETRY_TAKEOVERS=20` so many of them.
 */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Random } from "effect"
import { type Message, subscribe } from "../blackbox/subscriber.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { nats, natsHere } from "../support/servers/nats.ts"
import { postgresHere, sharedPostgres } from "../support/servers/postgres.ts"
import { wayTo } from "../support/servers/silence.ts"
import { questdbHere, questdbServer, sharedQuestdb } from "../support/servers/questdb.ts"
import { numberedFeed } from "./NumberedFeed.ts"
import { type Life, storedOf } from "./storedOf.ts"

const TIMES = Number(process.env["TELEMETRY_TAKEOVERS"] ?? 2)
const SEED = Number(process.env["TELEMETRY_FAULTS_SEED"] ?? Date.now() % 1_000_000)

interface Node {
  name: string
  service: Box.Running
  readonly data: string
}

interface Listed {
  readonly node: string
  readonly url: string
  readonly is_answering: boolean
  readonly state: string
  readonly taken_over: number
  readonly connections: ReadonlyArray<string>
  readonly recording: number
}

const nodesBy = (service: Box.Running) =>
  Effect.map(Box.get<{ readonly items: ReadonlyArray<Listed> }>(service, "/nodes"), ({ items }) => items)

const nameOf = (service: Box.Running) =>
  Effect.map(nodesBy(service), (items) => items.find(({ is_answering }) => is_answering)!.node)

interface Servers {
  readonly postgres: string
  readonly questdb: string
  readonly nats: string
}

const servers = Effect.fnUntraced(function* (questdb: { readonly url: string }) {
  return { postgres: (yield* sharedPostgres).url, questdb: questdb.url, nats: (yield* nats()).url }
})

const beginAt = ({ nats: bus, postgres, questdb }: Servers, data: string, lease = 3) =>
  Box.startAgain(data, "--points", questdb, "--catalog", postgres, "--relay", bus, "--lease", `${lease}`)

const startAt = Effect.fnUntraced(function* (where: Servers, lease?: number) {
  const data = yield* Box.folder
  const service = yield* beginAt(where, data, lease)
  return { name: yield* nameOf(service), service, data } satisfies Node
})

const cluster = Effect.fnUntraced(function* (questdb: { readonly url: string }) {
  const where = yield* servers(questdb)
  const nodes = [yield* startAt(where), yield* startAt(where), yield* startAt(where)]
  return { begin: (data: string) => beginAt(where, data), nodes }
})

const PATIENT_LEASE_S = 5
const BEYOND_LEASE = "8 seconds"

/** A node that can be cut off from each of its servers. */
const cuttable = Effect.fnUntraced(function* ({ nats: bus, postgres, questdb }: Servers) {
  const toPostgres = yield* wayTo(postgres)
  const toNats = yield* wayTo(bus)
  const toQuestdb = yield* wayTo(questdb)
  const far = new URL(questdb)
  const toPg = yield* wayTo(`postgres://${far.hostname}:${far.searchParams.get("pg")}`)
  const near = new URL(toQuestdb.url)
  near.searchParams.set("pg", new URL(toPg.url).port)
  const way = { postgres: toPostgres.url, questdb: near.href, nats: toNats.url }
  // On a busy machine a node may be silent for longer than usual.
  const node = yield* startAt(way, PATIENT_LEASE_S)
  return { node, PostgreSQL: [toPostgres], QuestDB: [toQuestdb, toPg], NATS: [toNats] }
})

/** Waits until no rows wait on the disk of any node. */
const nothingSpooled = (...nodes: ReadonlyArray<Node>) =>
  Effect.forEach(
    nodes,
    ({ name, service }) =>
      Box.until(
        Effect.promise(async () => (await fetch(`${service.address}/metrics`)).text()),
        (text) => new RegExp(`^telemetry_spool_sessions\\{[^}]*${name}[^}]*\\} 0$`, "m").test(text)
      ),
    { discard: true }
  )

const ownerAmong = (nodes: ReadonlyArray<Node>, asked: Node) =>
  Effect.map(nodesBy(asked.service), (items) => {
    const owner = items.find(({ connections }) => connections.length > 0)
    return nodes.find(({ name }) => name === owner?.node)!
  })

const sessionsOf = ({ service }: Node) =>
  Effect.map(
    Box.get<{ readonly items: ReadonlyArray<{ readonly id: number; readonly duration: number }> }>(
      service,
      "/sessions"
    ),
    ({ items }) => items.map(({ id }) => id)
  )

const countsOf = ({ service }: Node) => Box.connectionOf(service)

/** A live client that counts, and the longest time for which it got nothing, ms. */
const overlayOf = Effect.fnUntraced(function* ({ service }: Node, session: number) {
  const { messages, socket } = yield* subscribe(service, `?session_id=${session}&sequence=1&since=0`)
  let last = performance.now()
  let longest = 0
  socket.on("message", (data: Buffer) => {
    if (!data.toString().startsWith('{"type":"telemetry"')) return
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  })
  return { messages, standstill: () => longest }
})

type Counted = Message & { readonly sequence: number; readonly left_out: number }

/** What neither `left_out` nor a replay explains. */
const unexplained = (messages: ReadonlyArray<Message>) => {
  let before = 0
  return messages.flatMap((message) => {
    if (message.type === "replay") {
      const { to } = message as Message & { readonly to: number }
      // Points that were shown and not stored are numbered anew.
      before = Math.min(before, to)
    }
    if (message.type !== "telemetry") return []
    const { left_out, sequence } = message as Counted
    const isNext = sequence > before && sequence - left_out - 1 <= before
    const found = isNext ? [] : [{ before, sequence, left_out }]
    before = sequence
    return found
  })
}

describe(`a node that stops (seed ${SEED})`, needing(natsHere, postgresHere, questdbHere), () => {
  it.scopedLive("is taken over: the session goes on at another, complete and once", () =>
    Effect.gen(function* () {
      const { begin, nodes } = yield* cluster(yield* sharedQuestdb)
      const { address, feed } = yield* numberedFeed
      expect((yield* Box.connect(nodes[0]!.service, { address })).status).toBe(200)
      const lives: Array<Life & { acknowledged: number }> = []
      const ownerOf = (asked: Node) => ownerAmong(nodes, asked)
      let owner = nodes[0]!
      yield* Box.until(countsOf(owner), (one) => (one?.points_stored ?? 0) > 1000)
      const [session] = yield* sessionsOf(owner)
      const overlay = yield* overlayOf(nodes[2]!, session!)
      const stops = yield* Random.shuffle(
        Array.from({ length: TIMES }, (_, n) => (n % 2 === 0 ? ("SIGKILL" as const) : ("SIGSTOP" as const)))
      ).pipe(Effect.map(Chunk.toReadonlyArray))
      const took: Array<number> = []
      for (const signal of stops) {
        yield* Box.until(countsOf(owner), (one) => one?.session_id === session && one!.points_stored > 1000)
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 1500))
        const firstLink = feed.links.length - 1
        const { points_stored: acknowledged } = (yield* countsOf(owner))!
        owner.service.child.kill(signal)
        const at = performance.now()
        lives.push({ firstLink, settled: 0, acknowledged })
        const stopped = owner
        const asked = nodes.find((node) => node !== stopped)!
        owner = yield* Box.until(ownerOf(asked), (node) => node !== stopped)
        yield* Box.until(countsOf(owner), (one) => one?.session_id === session && one!.points_stored > 0)
        took.push(Math.round(performance.now() - at))
        // It comes back, as the same node or as a process that knows nothing of what happened.
        if (signal === "SIGSTOP") stopped.service.child.kill("SIGCONT")
        else stopped.service = yield* begin(stopped.data)
        yield* Box.until(
          nodesBy(asked.service),
          (items) =>
            items.every(({ state }) => state === "alive") &&
            items.reduce((sum, { recording }) => sum + recording, 0) === 1
        )
        owner = yield* Box.until(ownerOf(asked), (node) => node !== undefined)
      }
      lives.push({ firstLink: feed.links.length - 1, settled: 0, acknowledged: 0 })
      yield* Box.until(countsOf(owner), (one) => one?.session_id === session && one!.points_stored > 1000)
      feed.end()
      yield* Box.until(countsOf(owner), (one) => one?.session_id === null)
      const asked = nodes.find((node) => node !== owner)!
      expect(yield* sessionsOf(asked)).toEqual([session])
      const points = yield* storedOf(asked.service, feed, lives)
      for (const { acknowledged, firstLink } of lives) {
        expect(points[firstLink]).toBeGreaterThanOrEqual(acknowledged)
      }
      const last = feed.links.at(-1)!
      expect(points.at(-1)).toBe(last.until - last.from)
      expect(unexplained(overlay.messages)).toEqual([])
      console.log(`${stops.join()}: stored again after ${took.join()} ms`)
      console.log(`an overlay stood still for ${Math.round(overlay.standstill())} ms at most`)
    }).pipe(Effect.withRandom(Random.make(SEED)))
  )

  it.scopedLive(
    "keeps what waited on its disk: it counts once the session has ended and the node is back",
    () =>
      Effect.gen(function* () {
        const questdb = yield* questdbServer
        const { begin, nodes } = yield* cluster(questdb)
        const { address, feed } = yield* numberedFeed
        const [owner, other] = nodes as [Node, Node, Node]
        expect((yield* Box.connect(owner.service, { address })).status).toBe(200)
        yield* Box.until(countsOf(owner), (one) => (one?.points_stored ?? 0) > 1000)
        const [session] = yield* sessionsOf(owner)
        yield* questdb.kill
        yield* Box.untilLogged(owner.service, "they wait on disk")
        const spooled = (yield* countsOf(owner))!.points_stored
        yield* Box.until(countsOf(owner), (one) => one!.points_stored > spooled + 1000)
        const { points_stored: acknowledged } = (yield* countsOf(owner))!
        yield* owner.service.signal("SIGKILL")

        // The session cannot be cut now, so the drive goes on in another.
        yield* Box.until(
          countsOf(other),
          (one) => one?.session_id !== session && (one?.points_stored ?? 0) > 0
        )
        const second = (yield* countsOf(other))!.session_id!
        yield* questdb.start
        const ended = Effect.map(nodesBy(other.service), (items) =>
          items.reduce((sum, { recording }) => sum + recording, 0)
        )
        // Of both only the second is still recorded.
        yield* Box.until(ended, (count) => count === 1)
        owner.service = yield* begin(owner.data)
        yield* Box.untilLogged(owner.service, "The spool is empty")
        feed.end()
        yield* Box.until(ended, (count) => count === 0)
        expect(yield* sessionsOf(owner)).toEqual([second, session])
        const points = yield* storedOf(other.service, feed, [
          { firstLink: 0, settled: 0 },
          { firstLink: 1, settled: 0 }
        ])
        expect(points[0]).toBeGreaterThanOrEqual(acknowledged)
      })
  )

  it.scopedLive("goes on if it is cut off from its servers, unless it cannot hold its lease", () =>
    Effect.gen(function* () {
      const where = yield* servers(yield* sharedQuestdb)
      const ways = [yield* cuttable(where), yield* cuttable(where)]
      const nodes = ways.map(({ node }) => node)
      const other = (node: Node) => nodes.find((one) => one !== node)!
      const { address, feed } = yield* numberedFeed
      let owner = nodes[0]!
      expect((yield* Box.connect(owner.service, { address })).status).toBe(200)
      const storesMore = Effect.fnUntraced(function* (node: Node, session?: number) {
        const before = (yield* countsOf(node))?.points_stored ?? 0
        yield* Box.until(
          countsOf(node),
          (one) =>
            (one?.points_stored ?? 0) > before + 500 && (session ?? one?.session_id) === one?.session_id
        )
      })
      yield* storesMore(owner)
      const [session] = yield* sessionsOf(owner)
      const faults = yield* Random.shuffle([
        { from: ["PostgreSQL"], moves: true },
        { from: ["QuestDB"], moves: false },
        { from: ["NATS"], moves: false },
        { from: ["PostgreSQL", "QuestDB", "NATS"], moves: true }
      ] as const)
      const lives: Array<Life & { acknowledged: number }> = []
      for (const { from, moves } of faults) {
        const cut = ways.find(({ node }) => node === owner)!
        const cables = from.flatMap((name) => cut[name])
        const { points_stored: acknowledged } = (yield* countsOf(owner))!
        lives.push({ firstLink: feed.links.length - 1, settled: 0, acknowledged })
        yield* Effect.forEach(cables, (cable) => cable.cut)
        if (moves) {
          const before = owner
          owner = yield* Box.until(ownerAmong(nodes, other(before)), (node) => node !== before)
          yield* storesMore(owner, session)
          yield* Effect.forEach(cables, (cable) => cable.heal)
          yield* Box.untilLogged(before.service, "took over connections of this one")
        } else {
          // Longer than it takes to take over a node.
          yield* Effect.sleep(BEYOND_LEASE)
          expect(yield* ownerAmong(nodes, other(owner))).toBe(owner)
          yield* Effect.forEach(cables, (cable) => cable.heal)
          lives.pop()
        }
        yield* storesMore(owner, session)
        yield* Box.until(nodesBy(owner.service), (items) => items.every(({ state }) => state === "alive"))
        // A node whose rows still wait would go on in another session.
        yield* nothingSpooled(other(owner))
      }

      // The catalog away for all: nobody is taken over.
      lives.push({ firstLink: feed.links.length - 1, settled: 0, acknowledged: 0 })
      const taken = Effect.map(nodesBy(owner.service), (items) => items.map(({ taken_over }) => taken_over))
      const before = yield* taken
      for (const { PostgreSQL } of ways) yield* PostgreSQL[0]!.cut
      yield* Effect.sleep(BEYOND_LEASE)
      for (const { PostgreSQL } of ways) yield* PostgreSQL[0]!.heal
      yield* Box.until(
        Effect.map(Box.ask(owner.service, "GET", "/health"), ({ status }) => status),
        (status) => status === 200
      )
      yield* storesMore(owner, session)
      expect(yield* taken).toEqual(before)

      feed.end()
      yield* Box.until(countsOf(owner), (one) => one?.session_id === null)
      // What waited at one while the other took over counts by now.
      yield* nothingSpooled(...nodes)
      expect(yield* sessionsOf(owner)).toEqual([session])
      const points = yield* storedOf(other(owner).service, feed, lives)
      for (const { acknowledged, firstLink } of lives) {
        expect(points[firstLink]).toBeGreaterThanOrEqual(acknowledged)
      }
    }).pipe(Effect.withRandom(Random.make(SEED)))
  )

  it.scopedLive("in good order ends its session, and another goes on in a new one", () =>
    Effect.gen(function* () {
      const { nodes } = yield* cluster(yield* sharedQuestdb)
      const listed = yield* nodesBy(nodes[0]!.service)
      expect(listed.map(({ node, url }) => [node, url]).toSorted()).toEqual(
        nodes.map(({ name, service }) => [name, service.address]).toSorted()
      )
      const { address, feed } = yield* numberedFeed
      // Asked of all at once, it is connected to once.
      const asked = yield* Effect.forEach(nodes, ({ service }) => Box.connect(service, { address }), {
        concurrency: "unbounded"
      })
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(feed.links).toHaveLength(1)
      const owner = yield* Box.until(ownerAmong(nodes, nodes[0]!), (node) => node !== undefined)
      const [other, third] = nodes.filter((node) => node !== owner) as [Node, Node]
      yield* Box.until(countsOf(owner), (one) => (one?.points_stored ?? 0) > 1000)
      const [session] = yield* sessionsOf(owner)
      expect(yield* Box.stop(owner.service)).toBe(0)
      expect((yield* nodesBy(other.service)).reduce((sum, { recording }) => sum + recording, 0)).toBe(0)
      const next = yield* Box.until(countsOf(other), (one) => (one?.points_stored ?? 0) > 1000)
      const held = (yield* nodesBy(third.service)).flatMap(({ connections }) => connections)
      expect(held).toEqual([new URL(address).host])
      expect(next!.session_id).not.toBe(session)
      // A connect that is asked of any node finds the one that has it now.
      const { status, body } = yield* Box.ask<{ readonly detail: string }>(
        third.service,
        "POST",
        "/connect",
        {
          host: "127.0.0.1",
          port: Number(new URL(address).port),
          app_name: "another",
          simulator: "native"
        }
      )
      expect([status, body.detail]).toEqual([
        409,
        expect.stringContaining("is already connected with other settings")
      ])
      expect(yield* Box.ask(third.service, "POST", "/disconnect")).toMatchObject({
        body: { message: "Ended 1 connection" }
      })
    })
  )
})
