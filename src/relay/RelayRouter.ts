/**
 * Connects the endpoints of a supervisor: commands of those who serve to the one that records, its news to all of them.
 *
 * It remembers which connections stand, as the process that records says after each command that may have changed
 * it, and before the command is answered: so a connect that was answered is known here. The next process that
 * records is given them. Until it has taken them up commands fail with StoreUnavailable.
 */
import { Effect, Option, type Scope } from "effect"
import type { ConnectRequest } from "../domain/Connection.ts"
import { type Family, merged } from "../observability/prometheus.ts"
import type { RpcEndpoint } from "./RpcEndpoint.ts"
import { type Recording, toItsEnd, unavailable } from "./Relay.ts"

/** A process that is stopped or busy must not keep the others' counts from being seen. */
const COUNTED_WITHIN = "1 second"

export interface RelayRouter {
  /** Whoever serves, until the scope ends. */
  readonly serving: (endpoint: RpcEndpoint) => Effect.Effect<void, never, Scope.Scope>
  /** Whoever records, until the scope ends; succeeds when it answers commands. */
  readonly recording: (endpoint: RpcEndpoint) => Effect.Effect<void, never, Scope.Scope>
}

const countsOf = ({ counts }: RpcEndpoint) =>
  // Endpoints are made where nothing may be interrupted, and what they are asked is not either, unless it is said.
  Effect.interruptible(counts).pipe(
    Effect.timeoutOption(COUNTED_WITHIN),
    Effect.map(Option.getOrElse((): ReadonlyArray<Family> => [])),
    Effect.orElseSucceed((): ReadonlyArray<Family> => [])
  )

/** `own`: what the supervisor counts. */
export const make = Effect.fn("RelayRouter.make")(function* (own: Effect.Effect<ReadonlyArray<Family>>) {
  const scope = yield* Effect.scope
  const serving = new Set<RpcEndpoint>()
  let recorder: RpcEndpoint | undefined
  let active: ReadonlyArray<ConnectRequest> = []

  const asked = <A, E>(ask: (recording: Recording) => Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | ReturnType<typeof unavailable>> =>
      recorder === undefined ? unavailable("it is being started") : ask(recorder.recording)
    )

  /** Outlives whoever asked, since what it did is to be remembered. */
  const changing = <A, E>(ask: (recording: Recording) => Effect.Effect<A, E>) =>
    asked((recording) =>
      Effect.zipLeft(
        ask(recording),
        Effect.map(recording.active, (requests) => {
          active = requests
        })
      )
    ).pipe(toItsEnd(scope))

  const commands: Recording = {
    connect: (request) => changing(({ connect }) => connect(request)),
    disconnect: (address) => changing(({ disconnect }) => disconnect(address)),
    status: asked(({ status }) => status),
    stalled: asked(({ stalled }) => stalled),
    known: asked(({ known }) => known),
    active: asked(({ active }) => active),
    restore: (requests) => changing(({ restore }) => restore(requests))
  }

  const counts = Effect.suspend(() => {
    const endpoints = recorder === undefined ? serving : [recorder, ...serving]
    return Effect.all([own, ...[...endpoints].map(countsOf)], { concurrency: "unbounded" })
  }).pipe(Effect.map((families) => merged(families.flat())))

  const broadcast: RpcEndpoint["tell"] = (news) => {
    for (const endpoint of serving) endpoint.tell(news)
  }

  return {
    serving: Effect.fnUntraced(function* (endpoint) {
      yield* endpoint.record(commands)
      yield* endpoint.count(counts)
      yield* endpoint.listen(broadcast)
      yield* Effect.acquireRelease(
        Effect.sync(() => serving.add(endpoint)),
        () => Effect.sync(() => serving.delete(endpoint))
      )
    }),
    recording: Effect.fnUntraced(function* (endpoint) {
      yield* endpoint.listen(broadcast)
      yield* endpoint.recorded
      // Fails only with the process, whose end is seen by who started it.
      yield* Effect.ignore(endpoint.recording.restore(active))
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          recorder = endpoint
        }),
        () =>
          Effect.sync(() => {
            recorder = undefined
          })
      )
    })
  } satisfies RelayRouter
})
