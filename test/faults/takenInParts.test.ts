/** A node of a cluster that is killed while it records several simulators: the others take them among themselves, each once. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { natsHere } from "../support/servers/nats.ts"
import { postgresHere } from "../support/servers/postgres.ts"
import { questdbHere, sharedQuestdb } from "../support/servers/questdb.ts"
import { cluster, type Node, nodesBy, servers, sessionsOf } from "./clusterNodes.ts"
import { numberedFeed } from "./NumberedFeed.ts"

interface Listed extends Box.ConnectionCounts {
  readonly port: number
}

/** The cluster's connections, by port. */
const connectionsBy = ({ service }: Node) =>
  Effect.map(
    Box.get<{ readonly connections?: ReadonlyArray<Listed> }>(service, "/status"),
    ({ connections = [] }) => connections.toSorted((a, b) => a.port - b.port)
  )

const FEEDS = 4

const allStored = (all: ReadonlyArray<Listed>) =>
  all.length === FEEDS && all.every((one) => one.session_id !== null && one.points_stored > 500)

describe("several simulators of a node that is killed", needing(natsHere, postgresHere, questdbHere), () => {
  it.scopedLive("go on in their sessions at the others, and each at one of them", () =>
    Effect.gen(function* () {
      const { nodes } = yield* cluster(yield* servers(yield* sharedQuestdb))
      const feeds = yield* Effect.replicateEffect(numberedFeed, FEEDS)
      for (const { address } of feeds) {
        expect((yield* Box.connect(nodes[0].service, { address })).status).toBe(200)
      }
      const before = yield* Box.until(connectionsBy(nodes[0]), allStored)
      yield* nodes[0].service.signal("SIGKILL")
      const at = performance.now()
      const asked = nodes[1]
      const held = yield* Box.until(
        Effect.map(nodesBy(asked.service), (items) => items.filter(({ node }) => node !== nodes[0].name)),
        (items) => items.reduce((sum, { connections }) => sum + connections.length, 0) === FEEDS
      )
      const after = yield* Box.until(
        connectionsBy(asked),
        (all) => allStored(all) && all.every(({ session_id }, n) => session_id === before[n]!.session_id)
      )
      console.log(`stored again after ${Math.round(performance.now() - at)} ms, in parts of
        ${held.map(({ connections }) => connections.length).join(" and ")}`)
      expect(new Set(held.flatMap(({ connections }) => connections)).size).toBe(FEEDS)
      expect(yield* sessionsOf(asked)).toHaveLength(FEEDS)
      expect(after.map(({ port }) => port)).toEqual(before.map(({ port }) => port))
      // The first link and that of the node which took it.
      expect(feeds.map(({ feed }) => feed.links.length)).toEqual([2, 2, 2, 2])
    })
  )
})
