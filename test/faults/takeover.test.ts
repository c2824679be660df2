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
import { natsHere } from "../support/servers/nats.ts"
import { ownPostgresHere, postgresHere } from "../support/servers/postgres.ts"
import { questdbHere, questdbServer, sharedQuestdb } from "../support/servers/questdb.ts"
import { postgresWithStandby } from "../support/servers/standby.ts"
import {
  cluster,
  countsOf,
  expectAcknowledged,
  type Node,
  nodesBy,
  ownerAmong,
  servers,
  sessionsOf,
  storesMore
} from "./clusterNodes.ts"
import { numberedFeed } from "./NumberedFeed.ts"
import { type Life, storedOf } from "./storedOf.ts"

const TIMES = Number(process.env["TELEMETRY_TAKEOVERS"] ?? 2)
const SEED = Number(process.env["TELEMETRY_FAULTS_SEED"] ?? Date.now() % 1_000_000)

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
      const { begin, nodes } = yield* cluster(yield* servers(yield* sharedQuestdb))
      const { address, feed } = yield* numberedFeed
      expect((yield* Box.connect(nodes[0].service, { address })).status).toBe(200)
      const lives: Array<Life & { acknowledged: number }> = []
      const ownerOf = (asked: Node) => ownerAmong(nodes, asked)
      let owner: Node = nodes[0]
      yield* Box.until(countsOf(owner), (one) => (one?.points_stored ?? 0) > 1000)
      const [session] = yield* sessionsOf(owner)
      const overlay = yield* overlayOf(nodes[2], session!)
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
      expectAcknowledged(lives, points)
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
        const { begin, nodes } = yield* cluster(yield* servers(questdb))
        const { address, feed } = yield* numberedFeed
        const [owner, other] = nodes
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

  it.scopedLive("in good order ends its session, and another goes on in a new one", () =>
    Effect.gen(function* () {
      const { nodes } = yield* cluster(yield* servers(yield* sharedQuestdb))
      const listed = yield* nodesBy(nodes[0].service)
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
      const owner = yield* Box.until(ownerAmong(nodes, nodes[0]), (node) => node !== undefined)
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

describe(
  "a catalog that fails over to its synchronous standby",
  needing(natsHere, ownPostgresHere, questdbHere),
  () => {
    it.scopedLive("moves no connection, and loses nothing that was acknowledged", () =>
      Effect.gen(function* () {
        const postgres = yield* postgresWithStandby
        const { nodes } = yield* cluster(yield* servers(yield* sharedQuestdb, postgres))
        const [owner, other] = nodes
        const { address, feed } = yield* numberedFeed
        expect((yield* Box.connect(owner.service, { address })).status).toBe(200)
        yield* storesMore(owner)
        const [session] = yield* sessionsOf(owner)
        const { points_stored: acknowledged } = (yield* countsOf(owner))!
        yield* postgres.failOver
        yield* storesMore(owner, session)
        expect((yield* nodesBy(other.service)).map(({ taken_over }) => taken_over)).toEqual([0, 0, 0])
        expect(yield* ownerAmong(nodes, other)).toBe(owner)
        expect(feed.links).toHaveLength(1)
        feed.end()
        yield* Box.until(countsOf(owner), (one) => one?.session_id === null)
        expect(yield* sessionsOf(other)).toEqual([session])
        const points = yield* storedOf(other.service, feed, [{ firstLink: 0, settled: acknowledged }])
        expect(points).toEqual([feed.sent])
      })
    )
  }
)
