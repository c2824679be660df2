/**
 * Limits the sessions and laps that one feed may cause, and gives the event loop a turn in between.
 *
 * If a feed can be made to wait, the service waits (`await`) before it reads more, and records all sessions and laps of
 * the feed. For a feed that cannot wait, the excess is refused and counted.
 */
import { type Clock, Effect } from "effect"
import { breathe } from "../../platform/threads/breathe.ts"
import type { FeedCounters } from "./FeedCounters.ts"
import type { LapCut } from "../laps/laps.ts"
import { TokenBucket } from "./TokenBucket.ts"

/**
 * The sessions and laps that one feed may cause in the long run. A session costs two commits of the catalog, which wait
 * for the disk; a lap costs a part of one.
 */
const MAX_SESSIONS_PER_S = 5
const MAX_LAPS_PER_S = 100
/**
 * The burst that a feed may cause: two seconds' sessions, because each blocks the event loop; ten seconds' laps, as in
 * a replay.
 */
const MAX_BURST_SESSIONS = 10
const MAX_BURST_LAPS = 1000
/**
 * The event loop has a turn after this many laps, some ten milliseconds, and after each session, which takes as long on
 * a slow disk.
 */
const WORK_OF_TURN = 64

export class FeedQuota {
  readonly #reliable: boolean
  readonly #clock: Clock.Clock
  readonly #counters: FeedCounters
  readonly #sessions = new TokenBucket(MAX_SESSIONS_PER_S, MAX_BURST_SESSIONS)
  readonly #laps = new TokenBucket(MAX_LAPS_PER_S, MAX_BURST_LAPS)
  /** The cost of the sessions and laps since the event loop had a turn, in laps. */
  #work = 0

  /** `reliable`: whether the feed can be made to wait. */
  constructor(reliable: boolean, clock: Clock.Clock, counters: FeedCounters) {
    this.#reliable = reliable
    this.#clock = clock
    this.#counters = counters
  }

  /** The laps within the quota: all of them if the feed can be made to wait. */
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

  /** Whether a session that begins now is within the quota. If so, it counts. */
  takeSession(): boolean {
    this.#work += WORK_OF_TURN
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

  /** Waits until the feed may go on. */
  readonly await: Effect.Effect<void> = Effect.suspend(() => {
    const wait = this.#wait()
    if (wait > 0) return Effect.sleep(wait)
    return this.isTurnDue ? this.turn : Effect.void
  })

  #wait(): number {
    // Called with each delivery, so it reads the clock only if the feed may have to wait.
    if (!this.#reliable || !(this.#sessions.isOverdrawn || this.#laps.isOverdrawn)) return 0
    const now = this.#now()
    return Math.max(this.#sessions.wait(now), this.#laps.wait(now))
  }

  #now(): number {
    return this.#clock.unsafeCurrentTimeMillis()
  }
}
