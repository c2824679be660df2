/** A clock that follows a file's times: it passes each time for which a fiber sleeps, in order, as far as it may go. */
import { Clock, type Duration, Duration as Durations, Effect } from "effect"

interface Sleep {
  readonly until: number
  readonly wake: () => void
}

/** The turns that a woken fiber needs until it sleeps again; longer work goes on with the next datagram. */
const TURNS = 30
const turns = Effect.asVoid(Effect.repeatN(Effect.yieldNow(), TURNS))

export class CaseClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  readonly currentTimeMillis = Effect.sync(() => this.#millis)
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())
  #millis: number
  #sleeps: ReadonlyArray<Sleep> = []

  constructor(millis: number) {
    this.#millis = millis
  }

  unsafeCurrentTimeMillis(): number {
    return this.#millis
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(Math.round(this.#millis * 1e6))
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async((resume) => {
      const sleep = {
        until: this.#millis + Durations.toMillis(duration),
        wake: () => resume(Effect.void)
      }
      this.#sleeps = [...this.#sleeps, sleep]
      return Effect.sync(() => this.#forget(sleep))
    })
  }

  /** Wakes all fibers that sleep until then, each at its time. */
  goTo(millis: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const due = this.#sleeps.reduce<Sleep | undefined>(
        (first, one) => (one.until <= millis && one.until < (first?.until ?? Infinity) ? one : first),
        undefined
      )
      this.#millis = Math.max(this.#millis, due?.until ?? millis)
      if (due === undefined) return Effect.void
      this.#forget(due)
      due.wake()
      return Effect.zipRight(turns, this.goTo(millis))
    })
  }

  #forget(sleep: Sleep): void {
    this.#sleeps = this.#sleeps.filter((one) => one !== sleep)
  }
}
