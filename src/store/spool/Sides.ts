/** The two sides of a spooled store, and this process's knowledge of them. */
import { Effect, Metric } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { interruptibleWithin } from "../interruptibleWithin.ts"
import type { Owner, RowStore } from "../RowStore.ts"

export type Store = RowStore["Type"]

/** How long a call waits for a server that was unreachable a moment ago. */
const AWAY_ANSWERS_WITHIN = "1 second"

const spooledSessions = Metric.gauge("telemetry_spool_sessions", {
  description: "Sessions with points that wait on disk for the server"
})

export interface Spool {
  readonly store: Store
  /** Above this size writes fail, and the feeds wait. */
  readonly maxBytes: number
}

export class Sides {
  readonly server: Store
  readonly spool: Spool
  /** Writes, removals and the last steps of moves run one after another. */
  readonly turn = Effect.unsafeMakeSemaphore(1)
  /** Open while sessions have points in the spool. */
  readonly waiting = Effect.unsafeMakeLatch(false)
  isAway = false
  /** Counts removals: rows read from the spool before a removal must not be moved after it. */
  removals = 0
  /** The catalog that claimed the store. */
  owner: Owner | undefined
  readonly #spooled: Set<number>

  /** `spooled`: the sessions with points in the spool, if this process writes. */
  constructor(server: Store, spool: Spool, spooled: ReadonlyArray<number>) {
    this.server = server
    this.spool = spool
    this.#spooled = new Set(spooled)
    this.#show()
  }

  get spooled(): ReadonlySet<number> {
    return this.#spooled
  }

  add(sessionIds: ReadonlyArray<number>): void {
    for (const id of sessionIds) this.#spooled.add(id)
    this.#show()
  }

  delete(sessionId: number): void {
    this.#spooled.delete(sessionId)
    this.#show()
  }

  /** Calls the server. If it was away, the call waits only about as long as a healthy server takes. */
  ask<A, E>(question: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> {
    return Effect.suspend(() =>
      this.isAway
        ? interruptibleWithin(
            Effect.timeoutFail(question, {
              duration: AWAY_ANSWERS_WITHIN,
              onTimeout: () =>
                new StoreUnavailable({ store: "questdb", cause: new Error("it was away a moment ago") })
            })
          )
        : question
    )
  }

  /**
   * The time up to which rows count that this node writes, epoch seconds; Infinity unless another node has taken the session over.
   * Later ones in the spool wait for its end.
   */
  countUntil(sessionId: number): Effect.Effect<number, StoreUnavailable> {
    if (this.owner === undefined) return Effect.succeed(Infinity)
    return Effect.map(
      this.owner.tenures(sessionId),
      (tenures) => tenures.find(({ isOwn }) => isOwn)?.until ?? Infinity
    )
  }

  #show(): void {
    spooledSessions.unsafeUpdate(this.#spooled.size, [])
    if (this.#spooled.size > 0) this.waiting.unsafeOpen()
    else this.waiting.unsafeClose()
  }
}
