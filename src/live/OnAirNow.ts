/**
 * The session on air: the one that a client chose, else the running session of the oldest connection, else the newest
 * session. Each serving process works it out for its own live clients from the same facts: the catalog and the statuses
 * of the connections.
 */
import { Context, Effect, Layer, Ref, Stream } from "effect"
import type { OnAir } from "../domain/OnAir.ts"
import type { SessionNotFound, StoreUnavailable } from "../domain/errors.ts"
import { Configurations } from "../store/Configurations.ts"
import { Sessions } from "../store/Sessions.ts"

export class OnAirNow extends Context.Tag("live/OnAirNow")<
  OnAirNow,
  {
    readonly current: Effect.Effect<OnAir, StoreUnavailable>
    /** Null lets the rule decide. Succeeds when the choice is stored and published. */
    readonly choose: (sessionId: number | null) => Effect.Effect<void, StoreUnavailable | SessionNotFound>
  }
>() {}

export interface OnAirFacts {
  /** The sessions of the connections, the oldest connection first; null where none runs. */
  readonly running: Effect.Effect<ReadonlyArray<number | null>, StoreUnavailable>
  /** Emits whenever the session on air may be another. */
  readonly mayHaveChanged: Stream.Stream<unknown>
  /** Lets all serving processes look again. */
  readonly publish: Effect.Effect<void>
  /** Gets the first one, and then each different one. */
  readonly announce: (onAir: OnAir) => void
}

export const layer = <E, R>(facts: Effect.Effect<OnAirFacts, E, R>) =>
  Layer.scoped(
    OnAirNow,
    Effect.gen(function* () {
      const { announce, mayHaveChanged, publish, running } = yield* facts
      const { chooseOnAir, chosenOnAir } = yield* Configurations
      const sessions = yield* Sessions

      const byRule = Effect.gen(function* () {
        const oldest = (yield* running).find((id) => id !== null)
        if (oldest !== undefined) return oldest
        const { items } = yield* sessions.sessions({ limit: 1, offset: 0 })
        return items[0]?.id ?? null
      })

      const current = Effect.gen(function* () {
        const chosen = yield* chosenOnAir
        const now: OnAir =
          chosen === null
            ? { mode: "auto", sessionId: yield* byRule }
            : { mode: "session", sessionId: chosen }
        return now
      })

      const last = yield* Ref.make<OnAir | undefined>(undefined)
      const look = Effect.gen(function* () {
        const now = yield* current
        const before = yield* Ref.getAndSet(last, now)
        const isSame = before?.mode === now.mode && before.sessionId === now.sessionId
        if (!isSame) announce(now)
      })
      yield* Stream.make(undefined).pipe(
        Stream.concat(mayHaveChanged),
        // The store is away: the next change looks again.
        Stream.runForEach(() => Effect.ignore(look)),
        Effect.forkScoped
      )
      return { current, choose: (sessionId) => Effect.zipRight(chooseOnAir(sessionId), publish) }
    })
  )
