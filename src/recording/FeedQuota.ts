/**
 * How many sessions and laps one feed may cause, and how often the event loop has a turn meanwhile.
 *
 * A feed that can be made to wait has all of them recorded, and waits (`await`) before more of it is read. Of one that cannot,
 * what is too many is refused and counted.
 */
import { type Clock, Effect } from "effect"
import { breathe } from "../threads/breathe.ts"
import type { FeedCounters } from "./FeedCounters.ts"
import type { LapCut } from "./laps.ts"
import { TokenBucket } from "./TokenBucket.ts"

/** What one feed may cause in the long run. A session costs some ten transactions of the catalog, a lap a part of one. */
const MAX_SESSIONS_PER_S = 5
const MAX_LAPS_PER_S = 100
/** A session costs as much as so many laps, and after so much the event loop has a turn: some ten milliseconds. */
const WORK_OF_SESSION = 16
const WORK_OF_TURN = 64

export class FeedQuota {
  readonly #reliable: boolean
  readonly #clock: Clock.Clock
  readonly #counters: FeedCounters
  readonly #sessions = new TokenBucket(MAX_SESSIONS_PER_S)
  readonly #laps = new TokenBucket(MAX_LAPS_PER_S)
  /** Sessions and laps since the event loop had a turn: what they cost, in laps. */
  #work = 0

  /** `reliable`: the feed can be made to wait. */
  constructor(reliable: boolean, clock: Clock.Clock, counters: FeedCounters) {
    this.#reliable = reliable
    this.#clock = clock
    this.#counters = counters
  }

  /** The laps that the feed may have: all, where it is made to wait for them. */
  allowedLaps(cuts: ReadonlyArray<LapCut>): ReadonlyArray<LapCut> {
    if (cuts.length === 0) return cuts
    this.#work += cuts.length
    if (this.#reliable) {
      this.#laps.spend(cuts.length, this.#now())
      return cuts
    }
    const kept = cuts.filter(() => this.#laps.take(this.#now()))
    if (kept.length < cuts.length) this.#counters.countRefusedLaps(cuts.length - kept.length)
    return kept
  }

  /** Whether a session that begins now is among those that the feed may have; it then counts. */
  takeSession(): boolean {
    this.#work += WORK_OF_SESSION
    if (!this.#reliable) return this.#sessions.take(this.#now())
    this.#sessions.spend(1, this.#now())
    return true
  }

  /** Whether another session may begin now. */
  get allowsSession(): boolean {
    return this.#sessions.allows(this.#now())
  }

  /** Whether the feed has to wait before more of it is read. */
  get isExceeded(): boolean {
    return this.#wait() > 0
  }

  get isTurnDue(): boolean {
    return this.#work >= WORK_OF_TURN
  }

  /** Gives the event loop a turn. */
  readonly turn: Effect.Effect<void> = Effect.suspend(() => {
    this.#work = 0
    return breathe
  })

  /** Waits for as long as the feed has to. */
  readonly await: Effect.Effect<void> = Effect.suspend(() => {
    const wait = this.#wait()
    if (wait > 0) return Effect.sleep(wait)
    return this.isTurnDue ? this.turn : Effect.void
  })

  #wait(): number {
    if (!this.#reliable) return 0
    const now = this.#now()
    return Math.max(this.#sessions.wait(now), this.#laps.wait(now))
  }

  #now(): number {
    return this.#clock.unsafeCurrentTimeMillis()
  }
}
