/** Keeps the lease of the node that this process records as, in a catalog that several nodes share. */
import { Effect, Schedule } from "effect"
import { type LostNode, type NodeHolder, Nodes, RENEW_EVERY_SECONDS } from "../store/Nodes.ts"

const warnOf = ({ described, node, sessions }: LostNode) =>
  Effect.logWarning(
    `Sessions ${sessions.join(", ")} were being recorded by ${described}, which does not seem to run now. They are ended when it starts again; if it never does, "telemetry adopt --node ${node}" lets the next start of any node end them`
  )

/** Holds the lease as long as the scope. Fails if it cannot be taken; `shares` as for `Nodes.take`. */
export const hold = Effect.fn("NodeLease.hold")(function* (holder: NodeHolder, shares: boolean) {
  const nodes = yield* Nodes
  yield* Effect.acquireRelease(nodes.take(holder, shares), () =>
    // If the release fails, the lease expires by itself.
    Effect.ignoreLogged(nodes.release(holder))
  )
  let isLost = false

  const lose = (sentence: string) =>
    Effect.suspend(() => {
      const first = !isLost
      isLost = true
      return first ? Effect.logError(sentence) : Effect.void
    })

  /**
   * Renews the lease. Takes it again if it expired while this process was stopped, unless another process has taken it.
   */
  const keep = Effect.gen(function* () {
    if (yield* nodes.renew(holder)) return
    yield* nodes.take({ ...holder, ended: undefined }, shares)
    yield* Effect.logWarning("The lease of this node had ended; it is held again")
    isLost = false
  }).pipe(
    Effect.catchTags({
      NodeInUse: ({ described }) =>
        lose(
          `This node is ${described} by now, which has ended the sessions recorded here: of two copies of a data folder one must get an identity of its own, by deleting its node.json`
        ),
      PointsNotShared: ({ described }) =>
        lose(
          `This node was given up, and the catalog is now also that of ${described}: the two do not find each other's points, so stop one of them`
        ),
      StoreUnavailable: ({ cause }) => Effect.logDebug("The node's lease cannot be renewed now", cause)
    })
  )
  yield* keep.pipe(
    Effect.delay(`${RENEW_EVERY_SECONDS} seconds`),
    Effect.repeat(Schedule.forever),
    Effect.forkScoped
  )

  yield* Effect.catchAll(Effect.flatMap(nodes.lost, Effect.forEach(warnOf)), ({ cause }) =>
    Effect.logDebug("Other nodes cannot be asked for now", cause)
  )
})
