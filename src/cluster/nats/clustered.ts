/**
 * The relay of a node in a cluster: within this process it is plain calls, and beyond it a bus to the other nodes.
 *
 * Each node says once a second, and at each change, whether it records and what its live clients want; points are encoded and sent only
 * where a node wants them. The bus may lose anything: points that are missing show in their numbers, and a node asks the others to repeat
 * what they say of themselves when it begins, and when the bus comes back. The status is that of all nodes, and so are the metrics, with the label
 * `node`.
 *
 * Guarantees: those of Relay.ts; laps and sessions of other nodes that the bus has lost are announced once it is back (missedEvents.ts).
 * A bus or a node that is slow delays nobody (OutgoingRows.ts).
 */
import { Effect, FiberSet, Schedule, type Scope } from "effect"
import type { WatchedChannels } from "../../live/channels/ChannelWatch.ts"
import { isStartOrEnd } from "../../live/hub/messages.ts"
import { type Family, gauge, merged, total } from "../../observability/prometheus.ts"
import { Timing } from "../../platform/Timing.ts"
import type { SimulatorsStatus } from "../../simulators/connection/SimulatorsStatus.ts"
import { commandsOver, toTheirEnd } from "../commands.ts"
import {
  makeLocal,
  type Publish,
  type Recording,
  type RelayService,
  toCompletion,
  type Update,
  type WantedPoints
} from "../Relay.ts"
import type { Bus, Heard } from "./Bus.ts"
import { type Here, type Peer, Peers } from "./Peers.ts"
import * as NodeCommands from "./nodeCommands.ts"
import { json, parsed } from "./json.ts"
import { OutgoingRows } from "./OutgoingRows.ts"
import * as Questions from "./questions.ts"
import { decodeRows } from "./rows.ts"

/** Nodes understand each other if this is equal. */
const VERSION = 1
const SAY_EVERY = "1 second"

export interface Clustered extends RelayService {
  /** Publishes an update to this node's clients alone. */
  readonly publishHere: Publish
  /** The other nodes. */
  readonly peers: () => ReadonlyArray<Peer>
  /** The relay's own metrics. */
  readonly families: () => ReadonlyArray<Family>
}

/** `node`: the name of this node, which no other has. */
export const make = Effect.fn("clustered.make")(function* (
  bus: Bus,
  node: string
): Effect.fn.Return<Clustered, never, Scope.Scope> {
  const local = yield* makeLocal(null)
  const complete = toCompletion(yield* Effect.scope)
  const fork = yield* FiberSet.makeRuntime<never>()
  const { now, soon } = yield* Timing
  const peers = new Peers()
  let recording: Recording | undefined
  let status: SimulatorsStatus | null = null
  let watched: ReadonlyArray<WatchedChannels> = []
  let points: WantedPoints = "all"

  let isBroken = false
  /** A message that cannot be read concerns nobody but its sender. */
  const readable =
    (heard: Heard): Heard =>
    (bytes, answer) => {
      try {
        heard(bytes, answer)
      } catch (error) {
        if (!isBroken)
          fork(
            Effect.logWarning("A message of another node cannot be read; later ones are not logged", error)
          )
        isBroken = true
      }
    }
  const hear = (subject: string, heard: Heard) => bus.subscribe(subject, readable(heard))

  // What this node says, and what the others say.

  const say = (more: Pick<Here, "asks" | "gone"> = {}) => {
    const here: Here = { v: VERSION, node, records: recording !== undefined, watched, points, ...more }
    bus.publish("here", json(here))
  }
  const sayStatus = () => bus.publish("status", json({ node, status }))

  const statusChanged = () => {
    const recorders = peers.recorders.flatMap((peer) => peer.status ?? [])
    const all = status === null ? recorders : [status, ...recorders]
    local.publishStatus(all.length === 0 ? null : NodeCommands.together(all))
  }
  const wantsChanged = () => {
    const all = [...watched, ...peers.watching.flatMap((peer) => peer.watched)]
    local.publish({ type: "watch", watched: all })
  }
  const peersChanged = () => {
    statusChanged()
    wantsChanged()
  }

  const heardHere = (bytes: Uint8Array) => {
    const here = parsed(bytes) as Here
    if (here.v !== VERSION) return
    if (here.gone === true) return void (peers.forget(here.node) && peersChanged())
    const isNew = !peers.has(here.node)
    if (peers.hear(here, now())) peersChanged()
    // Of a node that was not heard before, what it said earlier was missed.
    if (isNew || here.asks === true) say({ asks: isNew })
    if (here.asks === true && status !== null) sayStatus()
  }

  const rows = new OutgoingRows(bus, peers)
  const heardRows = (bytes: Uint8Array) => {
    const update = decodeRows(bytes)
    if (update !== undefined) local.publish(update)
  }

  /** The subscriptions to points, by their subjects. */
  const following = new Map<string, () => void>()
  const follow = () => {
    const subjects = new Set(points === "all" ? ["live.*"] : points.map((sessionId) => `live.${sessionId}`))
    // A point may be missed in between, which its number shows; it must not come twice.
    for (const [subject, end] of following) {
      if (subjects.has(subject)) continue
      end()
      following.delete(subject)
    }
    for (const subject of subjects) {
      if (!following.has(subject)) following.set(subject, hear(subject, heardRows))
    }
  }

  let willFollow = false
  /** Once for all clients that come or go in one turn of the event loop. */
  const followSoon = () => {
    if (willFollow) return
    willFollow = true
    soon(() => {
      willFollow = false
      follow()
      say()
    })
  }

  // Commands.

  const questions = yield* Questions.make(bus, node, { recording: () => recording, counts: local.counts })
  const commands = NodeCommands.make({
    recorders: () => [
      ...(recording === undefined ? [] : [node]),
      ...peers.recorders.map((peer) => peer.node)
    ],
    commandsOf: (name) => commandsOver(questions.ask(name)),
    holderOf: (host, port) =>
      peers.recorders.find(({ status: its }) =>
        its?.connections.some((connection) => connection.host === host && connection.port === port)
      )?.node
  })

  // The bus.

  yield* Effect.acquireRelease(
    Effect.sync(() => [
      hear("here", heardHere),
      hear("status", (bytes) => {
        const { node: of, status: its } = parsed(bytes) as { node: string; status: SimulatorsStatus | null }
        peers.status(of, its)
        statusChanged()
      }),
      hear(`samples.${node}`, heardRows),
      hear("event", (bytes) => local.publish(parsed(bytes) as Update)),
      hear(Questions.subjectOf(node), questions.heard),
      bus.onChange((isUp) => isUp && say({ asks: true }))
    ]),
    (stops) =>
      Effect.sync(() => {
        say({ gone: true })
        for (const stop of [...stops, ...following.values()]) stop()
      })
  )
  follow()
  say({ asks: true })
  yield* Effect.sync(() => {
    say()
    if (peers.forgetSilent(now())) peersChanged()
  }).pipe(Effect.delay(SAY_EVERY), Effect.repeat(Schedule.forever), Effect.forkScoped)

  return {
    recording: toTheirEnd(commands, complete),
    record: (given) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          recording = given
          say()
        }),
        () =>
          Effect.sync(() => {
            recording = undefined
            status = null
            say()
            sayStatus()
            statusChanged()
          })
      ),
    publish: (update) => {
      if (update.type === "watch") {
        watched = update.watched
        points = update.points ?? "all"
        wantsChanged()
        return followSoon()
      }
      local.publish(update)
      if (update.type === "points") return rows.points(update)
      if (update.type === "samples") return rows.samples(update)
      if (update.type === "event" && isStartOrEnd(update.event)) rows.forget(update.event.sessionId)
      return bus.publish("event", json(update))
    },
    subscribe: local.subscribe,
    publishStatus: (newest) => {
      status = newest
      statusChanged()
      sayStatus()
    },
    statusChanges: local.statusChanges,
    counts: Effect.suspend(() =>
      Effect.forEach([node, ...peers.all.map((peer) => peer.node)], questions.countsOf, {
        concurrency: "unbounded"
      }).pipe(Effect.map((families) => merged(families.flat())))
    ),
    count: local.count,
    isUp: bus.isUp,
    publishHere: local.publish,
    peers: () => peers.all,
    families: () => [
      gauge("telemetry_relay_up", "Whether the bus between nodes can be reached", bus.isUp() ? 1 : 0),
      total(
        "telemetry_relay_messages_total",
        "Messages of points and channels sent to other nodes",
        rows.sent
      ),
      total(
        "telemetry_relay_left_out_total",
        "Messages of points left out for a bus that was behind",
        rows.leftOut
      )
    ]
  }
})
