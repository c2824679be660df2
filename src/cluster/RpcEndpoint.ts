/**
 * The relay over a channel: one side of it, in a process that records or serves. A supervisor has an endpoint to the recorder
 * and one to each worker.
 */
import { Deferred, Effect, FiberSet, type Scope } from "effect"
import type { CommandError, StoreUnavailable } from "../domain/errors.ts"
import type { SimulatorsStatus } from "../simulators/connection/SimulatorsStatus.ts"
import type { GroupRows } from "../live/channels/ChannelWatch.ts"
import { isStartOrEnd } from "../live/hub/messages.ts"
import { SampleBacklog } from "../live/channels/SampleBacklog.ts"
import type { ProcessChannel } from "./ProcessChannel.ts"
import { answerBy, type Ask, commandsOver, onlyUnavailable } from "./commands.ts"
import { decodeExit, encodeExit, type RelayMessage, messageOf, updateOf } from "./messages.ts"
import { makeLocal, type Recording, type RelayService, unavailable, type Update } from "./Relay.ts"

/** How many messages the other side may be behind: one second of a session at 60 Hz. */
const MAX_UNSENT = 64

export interface RpcEndpoint extends RelayService {
  /** Succeeds once the other side answers commands. */
  readonly recorded: Effect.Effect<void>
  /** Asks the other side for the newest status that it published, which a starting process has missed. */
  readonly observe: Effect.Effect<void>
  /** Succeeds when the other side answers, which shows that its event loop turns. */
  readonly alive: Effect.Effect<void, StoreUnavailable>
}

/** When the scope ends, calls that wait for an answer fail, and so do all later ones. */
export const make: (channel: ProcessChannel) => Effect.Effect<RpcEndpoint, never, Scope.Scope> = Effect.fn(
  "RpcEndpoint.make"
)(function* (channel: ProcessChannel) {
  const fork = yield* FiberSet.makeRuntime<never>()
  const recorded = yield* Deferred.make<void>()
  const waiting = new Map<number, Deferred.Deferred<unknown, CommandError>>()
  const local = yield* makeLocal(undefined)
  let questions = 0
  let unsent = 0
  let ended = false

  const taken = () => void unsent--
  const send = (message: RelayMessage, written: () => void = taken) => {
    unsent++
    channel.send(message, written)
  }

  /** One status is sent at a time. Of the statuses that come meanwhile, the newest waits. */
  let isStatusUnsent = false
  let waitingStatus: SimulatorsStatus | null | undefined
  let lastStatus: SimulatorsStatus | null | undefined
  const statusTaken = () => {
    taken()
    isStatusUnsent = false
    const next = waitingStatus
    waitingStatus = undefined
    if (next !== undefined) publishStatus(next)
  }
  const publishStatus = (status: SimulatorsStatus | null) => {
    lastStatus = status
    if (isStatusUnsent) waitingStatus = status
    else {
      isStatusUnsent = true
      send({ type: "status", status }, statusTaken)
    }
  }

  /** Samples never keep points from being sent: they are counted separately, and wait while the other side is behind. */
  const heldSamples = new SampleBacklog()
  let unsentSamples = 0
  const samplesTaken = () => void unsentSamples--
  const sendSamples = (sessionId: number, groups: ReadonlyArray<GroupRows>) => {
    unsentSamples++
    channel.send(messageOf({ type: "samples", sessionId, groups }), samplesTaken)
  }
  const publishSamples = ({ groups, sessionId }: Extract<Update, { readonly type: "samples" }>) => {
    if (unsentSamples < MAX_UNSENT && !heldSamples.has(sessionId)) return sendSamples(sessionId, groups)
    for (const rows of groups) heldSamples.add(sessionId, rows)
  }
  const sendHeldSamples = (sessionId: number) => {
    if (unsentSamples >= MAX_UNSENT) return
    const groups = heldSamples.take(sessionId)
    if (groups !== undefined) sendSamples(sessionId, groups)
  }

  const answerTo = answerBy(local)

  const receive = (message: RelayMessage) => {
    switch (message.type) {
      case "ask": {
        const { argument, asked, id } = message
        return fork(
          Effect.map(Effect.exit(answerTo(asked, argument)), (exit) =>
            send({ type: "answer", id, answer: encodeExit(exit) })
          )
        )
      }
      case "answer": {
        const reply = waiting.get(message.id)
        return reply && Deferred.unsafeDone(reply, decodeExit(message.answer))
      }
      case "recording":
        return Deferred.unsafeDone(recorded, Effect.void)
      case "observing":
        return lastStatus !== undefined && publishStatus(lastStatus)
      case "status":
        return local.publishStatus(message.status)
      case "stop":
        // This update is for the process as a whole.
        return
      default:
        return local.publish(updateOf(message)!)
    }
  }

  yield* Effect.acquireRelease(
    Effect.sync(() => channel.receive(receive)),
    (stop) =>
      Effect.sync(() => {
        stop()
        ended = true
        for (const reply of waiting.values()) Deferred.unsafeDone(reply, unavailable("the process ended"))
      })
  )

  const ask: Ask = (asked, argument) =>
    Effect.acquireUseRelease(
      Effect.gen(function* () {
        const id = ++questions
        const reply = yield* Deferred.make<unknown, CommandError>()
        waiting.set(id, reply)
        return { id, reply }
      }),
      ({ id, reply }) => {
        if (ended) return unavailable("the process has ended")
        send({ type: "ask", id, asked, argument })
        return Deferred.await(reply)
      },
      ({ id }) => Effect.sync(() => waiting.delete(id))
    )

  return {
    recorded: Deferred.await(recorded),
    observe: Effect.sync(() => send({ type: "observing" })),
    alive: onlyUnavailable(ask("alive")),
    recording: commandsOver(ask),
    record: (recording: Recording) =>
      Effect.zipRight(
        local.record(recording),
        Effect.acquireRelease(
          Effect.sync(() => send({ type: "recording" })),
          () => Effect.sync(() => publishStatus(null))
        )
      ),
    publish: (update: Update) => {
      if (update.type === "samples") return publishSamples(update)
      if (update.type === "points") {
        if (unsent >= MAX_UNSENT) return
        sendHeldSamples(update.sessionId)
      }
      if (update.type === "event" && isStartOrEnd(update.event)) heldSamples.forget(update.event.sessionId)
      send(messageOf(update))
    },
    subscribe: local.subscribe,
    publishStatus,
    statusChanges: local.statusChanges,
    counts: onlyUnavailable(ask("counts")),
    count: local.count
  }
})
