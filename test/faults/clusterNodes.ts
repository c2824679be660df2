/** Nodes of a cluster as processes of their own, and questions to them. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { nats } from "../support/servers/nats.ts"
import { sharedPostgres } from "../support/servers/postgres.ts"

export interface Node {
  readonly name: string
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

/** Addresses of what the nodes share. */
export interface Servers {
  readonly postgres: string
  readonly questdb: string
  readonly nats: string
}

export const nodesBy = (service: Box.Running) =>
  Effect.map(Box.get<{ readonly items: ReadonlyArray<Listed> }>(service, "/nodes"), ({ items }) => items)

const nameOf = (service: Box.Running) =>
  Effect.map(nodesBy(service), (items) => items.find(({ is_answering }) => is_answering)!.node)

export const servers = Effect.fnUntraced(function* (
  questdb: { readonly url: string },
  postgres?: { readonly url: string }
) {
  const catalog = postgres ?? (yield* sharedPostgres)
  return { postgres: catalog.url, questdb: questdb.url, nats: (yield* nats()).url } satisfies Servers
})

/** `lease`: seconds. */
export const flagsOf = ({ nats: bus, postgres, questdb }: Servers, lease = 3): ReadonlyArray<string> => [
  "--points",
  questdb,
  "--catalog",
  postgres,
  "--relay",
  bus,
  "--lease",
  `${lease}`
]

export const nodeOf = (service: Box.Running, data: string) =>
  Effect.map(nameOf(service), (name): Node => ({ name, service, data }))

const startAt = Effect.fnUntraced(function* (where: Servers) {
  const data = yield* Box.folder
  return yield* nodeOf(yield* Box.startAgain(data, ...flagsOf(where)), data)
})

/** Three nodes on this machine. */
export const cluster = Effect.fnUntraced(function* (where: Servers) {
  const nodes = [yield* startAt(where), yield* startAt(where), yield* startAt(where)] as const
  return { begin: (data: string) => Box.startAgain(data, ...flagsOf(where)), nodes }
})

/** Waits until no rows wait on the disk of any node. */
export const nothingSpooled = (...nodes: ReadonlyArray<Node>) =>
  Effect.forEach(
    nodes,
    ({ name, service }) =>
      Box.until(
        Effect.promise(async () => (await fetch(`${service.address}/metrics`)).text()),
        (text) => new RegExp(`^telemetry_spool_sessions\\{[^}]*${name}[^}]*\\} 0$`, "m").test(text)
      ),
    { discard: true }
  )

export const ownerAmong = (nodes: ReadonlyArray<Node>, asked: Node) =>
  Effect.map(nodesBy(asked.service), (items) => {
    const owner = items.find(({ connections }) => connections.length > 0)
    return nodes.find(({ name }) => name === owner?.node)!
  })

/** The newest first. */
export const sessionsOf = ({ service }: Node) =>
  Effect.map(
    Box.get<{ readonly items: ReadonlyArray<{ readonly id: number }> }>(service, "/sessions"),
    ({ items }) => items.map(({ id }) => id)
  )

export const countsOf = ({ service }: Node) => Box.connectionOf(service)

/**
 * Expects what each owner had acknowledged to be there. `points`: stored of each link. A node that comes back may have the link for a moment:
 * so an owner may have several, and those of others between them.
 */
export const expectAcknowledged = (
  lives: ReadonlyArray<{ readonly firstLink: number; readonly acknowledged: number }>,
  points: ReadonlyArray<number>
) => {
  let all = 0
  for (const { acknowledged, firstLink } of lives) {
    all += acknowledged
    expect(points.slice(0, firstLink + 1).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(all)
  }
}

/** Waits until a node has stored so many more points, of this session if one is given. */
export const storesMore = Effect.fnUntraced(function* (node: Node, session?: number, points = 500) {
  const before = (yield* countsOf(node))?.points_stored ?? 0
  yield* Box.until(
    countsOf(node),
    (one) => (one?.points_stored ?? 0) > before + points && (session ?? one?.session_id) === one?.session_id
  )
})
