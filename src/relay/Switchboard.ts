/**
 * Connects the lines of a supervisor: commands of those who serve to the one that records, its news to all of them.
 *
 * It remembers which connections stand, as the process that records says after each command that may have changed
 * it, and before the command is answered: so a connect that was answered is known here. The next process that
 * records is given them. Until it has taken them up commands fail with StoreUnavailable.
 */
import { Effect, Option, type Scope } from "effect"
import type { ConnectRequest } from "../domain/Connection.ts"
import { type Family, merged } from "../observability/prometheus.ts"
import type { Line } from "./Line.ts"
import { type Recording, toItsEnd, unavailable } from "./Relay.ts"

/** A process that is stopped or busy must not keep the others' counts from being seen. */
const COUNTED_WITHIN = "1 second"

export interface Switchboard {
  /** Whoever serves, until the scope ends. */
  readonly serving: (line: Line) => Effect.Effect<void, never, Scope.Scope>
  /** Whoever records, until the scope ends; succeeds when it answers commands. */
  readonly recording: (line: Line) => Effect.Effect<void, never, Scope.Scope>
}

const countsOf = ({ counts }: Line) =>
  // Lines are made where nothing may be interrupted, and what they are asked is not either, unless it is said.
  Effect.interruptible(counts).pipe(
    Effect.timeoutOption(COUNTED_WITHIN),
    Effect.map(Option.getOrElse((): ReadonlyArray<Family> => [])),
    Effect.orElseSucceed((): ReadonlyArray<Family> => [])
  )

/** `own`: what the supervisor counts. */
export const make = Effect.fn("Switchboard.make")(function* (own: Effect.Effect<ReadonlyArray<Family>>) {
  const scope = yield* Effect.scope
  const serving = new Set<Line>()
  let recorder: Line | undefined
  let standing: ReadonlyArray<ConnectRequest> = []

  const asked = <A, E>(ask: (recording: Recording) => Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | ReturnType<typeof unavailable>> =>
      recorder === undefined ? unavailable("it is being started") : ask(recorder.recording)
    )

  /** Outlives whoever asked, since what it did is to be remembered. */
  const changing = <A, E>(ask: (recording: Recording) => Effect.Effect<A, E>) =>
    asked((recording) =>
      Effect.zipLeft(
        ask(recording),
        Effect.map(recording.standing, (requests) => {
          standing = requests
        })
      )
    ).pipe(toItsEnd(scope))

  const commands: Recording = {
    connect: (request) => changing(({ connect }) => connect(request)),
    disconnect: (address) => changing(({ disconnect }) => disconnect(address)),
    status: asked(({ status }) => status),
    stalled: asked(({ stalled }) => stalled),
    known: asked(({ known }) => known),
    standing: asked(({ standing }) => standing),
    takeUp: (requests) => changing(({ takeUp }) => takeUp(requests))
  }

  const counts = Effect.suspend(() => {
    const lines = recorder === undefined ? serving : [recorder, ...serving]
    return Effect.all([own, ...[...lines].map(countsOf)], { concurrency: "unbounded" })
  }).pipe(Effect.map((families) => merged(families.flat())))

  const broadcast: Line["tell"] = (news) => {
    for (const line of serving) line.tell(news)
  }

  return {
    serving: Effect.fnUntraced(function* (line) {
      yield* line.record(commands)
      yield* line.count(counts)
      yield* line.listen(broadcast)
      yield* Effect.acquireRelease(
        Effect.sync(() => serving.add(line)),
        () => Effect.sync(() => serving.delete(line))
      )
    }),
    recording: Effect.fnUntraced(function* (line) {
      yield* line.listen(broadcast)
      yield* line.recorded
      // Fails only with the process, whose end is seen by who started it.
      yield* Effect.ignore(line.recording.takeUp(standing))
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          recorder = line
        }),
        () =>
          Effect.sync(() => {
            recorder = undefined
          })
      )
    })
  } satisfies Switchboard
})
