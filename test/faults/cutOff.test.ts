/**
 * Nodes of a cluster on machines of their own whose cables are pulled: a node that cannot hold its lease is taken over, and no other.
 * Every point that was acknowledged is there once.
 *
 * `TELEMETRY_FAULTS_SEED=7` chooses the same order and pauses again.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { join } from "node:path"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { lab, labHere } from "../support/servers/lab.ts"
import { natsHere } from "../support/servers/nats.ts"
import { postgresHere } from "../support/servers/postgres.ts"
import { questdbHere, sharedQuestdb } from "../support/servers/questdb.ts"
import {
  countsOf,
  expectAcknowledged,
  flagsOf,
  type Node,
  nodeOf,
  nodesBy,
  nothingSpooled,
  ownerAmong,
  type Servers,
  servers,
  sessionsOf,
  storesMore
} from "./clusterNodes.ts"
import { numberedFeed } from "./NumberedFeed.ts"
import { type Life, storedOf } from "./storedOf.ts"

const SEED = Number(process.env["TELEMETRY_FAULTS_SEED"] ?? Date.now() % 1_000_000)
/** On a busy machine a node may be silent for longer than usual. */
const LEASE_S = 5
const BEYOND_LEASE = "8 seconds"
/** Points of the game. */
const A_SECOND = 60
/** The address that moves from one node to another. */
const VIRTUAL = "10.213.77.200"

const HOSTS = ["rig", "postgres", "questdb", "nats", "one", "two"] as const

type Lab = Effect.Effect.Success<ReturnType<typeof lab<(typeof HOSTS)[number]>>>

/** The servers, each on a machine of its own; their addresses there. */
const spread = Effect.fnUntraced(function* (net: Lab, { nats, postgres, questdb }: Servers) {
  const { hostname, searchParams } = new URL(questdb)
  yield* net.serve("questdb", `postgres://${hostname}:${searchParams.get("pg")}`)
  return {
    postgres: yield* net.serve("postgres", postgres),
    questdb: yield* net.serve("questdb", questdb),
    nats: yield* net.serve("nats", nats)
  } satisfies Servers
})

const startOn = Effect.fnUntraced(function* (net: Lab, host: "one" | "two", where: Servers) {
  const data = yield* Box.folder
  const flags = ["--port", "0", "--data", data, ...flagsOf(where, LEASE_S)]
  return { ...(yield* nodeOf(yield* net.start(host, "main.js", flags), data)), host }
})

const allAlive = (asked: Node) =>
  Box.until(nodesBy(asked.service), (items) => items.every(({ state }) => state === "alive"))

/** The times of a session's points, s. */
const timesOf = ({ service }: Node, session: number) =>
  Effect.promise(async () => {
    const answer = await fetch(`${service.address}/api/v1/export/session/${session}`)
    const text = await answer.text()
    expect([answer.status, answer.ok ? "" : text]).toEqual([200, ""])
    const [header = "", ...rows] = text.trimEnd().split("\r\n")
    const column = header.split(",").indexOf("timestamp")
    return rows.map((row) => Number(row.split(",")[column]))
  })

const FAULTS = [
  { from: ["postgres"], moves: true },
  { from: ["questdb"], moves: false },
  { from: ["nats"], moves: false },
  { from: HOSTS, moves: true }
] as const

const here = needing(labHere, natsHere, postgresHere, questdbHere)

describe(`nodes on machines of their own (seed ${SEED})`, here, () => {
  it.scopedLive("go on if they are cut off from their servers, unless they cannot hold their lease", () =>
    Effect.gen(function* () {
      const net = yield* lab(...HOSTS)
      const where = yield* spread(net, yield* servers(yield* sharedQuestdb))
      const nodes = [yield* startOn(net, "one", where), yield* startOn(net, "two", where)] as const
      const other = (node: Node) => nodes.find((one) => one !== node)!
      const { address, feed } = yield* numberedFeed
      let owner = nodes[0]
      const simulator = { address: yield* net.serve("rig", address) }
      expect((yield* Box.connect(owner.service, simulator)).status).toBe(200)
      yield* storesMore(owner)
      const [session] = yield* sessionsOf(owner)
      const lives: Array<Life & { acknowledged: number }> = []
      const newLife = Effect.fnUntraced(function* () {
        const { points_stored: acknowledged } = (yield* countsOf(owner))!
        lives.push({ firstLink: feed.links.length - 1, settled: 0, acknowledged })
      })
      for (const { from, moves } of yield* Random.shuffle(FAULTS)) {
        const before = owner
        const pull =
          from === HOSTS ? [net.cut(before.host)] : from.map((far) => net.separate(before.host, far))
        const plug = from === HOSTS ? [net.heal(before.host)] : from.map((far) => net.join(before.host, far))
        // Anywhere between two commits.
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 1500))
        yield* newLife()
        yield* Effect.all(pull)
        if (moves) {
          owner = (yield* Box.until(
            ownerAmong(nodes, other(before)),
            (node) => node !== before
          )) as typeof owner
          yield* storesMore(owner, session)
          yield* Effect.all(plug)
          yield* Box.untilLogged(before.service, "took over connections of this one")
        } else {
          lives.pop()
          // Longer than it takes to take over a node.
          yield* Effect.sleep(BEYOND_LEASE)
          expect(yield* ownerAmong(nodes, other(owner))).toBe(owner)
          yield* Effect.all(plug)
        }
        yield* storesMore(owner, session)
        yield* allAlive(owner)
        // A node whose rows still wait would go on in another session.
        yield* nothingSpooled(other(owner))
      }

      // The catalog away for all: nobody is taken over.
      yield* newLife()
      const taken = Effect.map(nodesBy(owner.service), (items) => items.map(({ taken_over }) => taken_over))
      const before = yield* taken
      yield* net.cut("postgres")
      yield* Effect.sleep(BEYOND_LEASE)
      yield* net.heal("postgres")
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
      expectAcknowledged(lives, points)
    }).pipe(Effect.withRandom(Random.make(SEED)))
  )

  it.scopedLive("go on with a game that sends to one address, once another node has that address", () =>
    Effect.gen(function* () {
      const net = yield* lab(...HOSTS)
      const where = yield* spread(net, yield* servers(yield* sharedQuestdb))
      yield* net.carry("one", VIRTUAL)
      const [one, two] = [yield* startOn(net, "one", where), yield* startOn(net, "two", where)]
      const game = join(Box.root, "dist/program/simulator/main.js")
      const sending = ["--protocol", "f1-2025", "--host", VIRTUAL, "--port", "20777"]
      yield* net.startProgram("rig", process.execPath, [game, ...sending])
      const connect = { host: VIRTUAL, port: 20_777, app_name: "rig", simulator: "f1" }
      expect(yield* Box.ask(one.service, "POST", "/connect", connect)).toMatchObject({ status: 200 })
      yield* storesMore(one, undefined, A_SECOND)
      const [session] = yield* sessionsOf(one)
      const { points_stored: acknowledged } = (yield* countsOf(one))!
      yield* net.cut("one")
      const cut = performance.now()
      yield* net.carry("two", VIRTUAL)
      yield* Box.until(ownerAmong([one, two], two), (node) => node === two)
      yield* storesMore(two, session, A_SECOND)
      console.log(`a second of F1 was stored again after ${Math.round(performance.now() - cut)} ms`)
      expect(yield* sessionsOf(two)).toEqual([session])
      expect(yield* ownerAmong([one, two], two)).toBe(two)
      expect(yield* Box.ask(two.service, "POST", "/disconnect")).toMatchObject({
        body: { message: "Ended 1 connection" }
      })
      const times = yield* timesOf(two, session!)
      expect(times.length).toBeGreaterThan(acknowledged)
      expect(times.every((time, at) => at === 0 || time > times[at - 1]!)).toBe(true)
    })
  )
})
