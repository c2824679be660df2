/**
 * Decides when messages are written to their subscribers. The cost of a write to a socket is the system call, not the
 * bytes, so messages that come in quick succession share a write.
 *
 * - A group that had no write for WRITE_SPACING_MS is written to at the end of this turn of the event loop: messages of a
 *   single car at 60 Hz never wait. Messages that come within WRITE_SPACING_MS of the last write leave together.
 * - All writing takes SHARE of the time at most. A process that cannot write each message to all its subscribers writes
 *   several messages at a time, and still has time for the feeds and for HTTP.
 * - A write to many subscribers lets the event loop turn every SLICE_MS.
 *
 * Guarantees: a group's batches are written one after another, each to all subscribers before the next begins.
 *
 * Hard cases. A flush (an event comes, subscribers move) does not wait until writing is within its share, but the time
 * that the flush takes counts. A full batch does not wait either, which limits the memory: the publisher cannot run
 * during the write.
 */
import type { GroupWrite, SubscriberGroup } from "./SubscriberGroup.ts"
import type { TimingService } from "../../platform/Timing.ts"

/** A quarter of the interval of a 60 Hz feed. */
export const WRITE_SPACING_MS = 4

/** A share of the wall clock's time; the rest is for the feeds, HTTP, and everything else that the process does. */
const SHARE = 2 / 3

/** Writing may exceed its share by this much, so that small groups do not wait for one another. */
const SLACK_MS = 4

const SLICE_MS = 4

/** Reading the clock costs a hundredth of a write, so the clock is read once in this many writes. */
const LOOK_EVERY = 16

/** A timer may ring a fraction of a millisecond early. */
const EARLY_MS = 1

export class WriteScheduler {
  readonly #timing: TimingService
  readonly #waiting = new Set<SubscriberGroup>()
  readonly #underWay: Array<GroupWrite> = []
  /** When the writing so far is within its share; the Generic Cell Rate Algorithm, as in RateLimiter. */
  #due = -Infinity
  #soon = false
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined

  constructor(timing: TimingService) {
    this.#timing = timing
  }

  /** The group has messages to write. */
  request(group: SubscriberGroup): void {
    this.#waiting.add(group)
    if (this.#underWay.length === 0) this.#arm(group, this.#timing.now())
  }

  /** Writes everything that waits, now. */
  flush(): void {
    const now = this.#timing.now()
    for (const group of this.#waiting) this.#underWay.push(group.beginWrite(now))
    this.#waiting.clear()
    this.#write(Infinity)
  }

  #earliest(group: SubscriberGroup): number {
    return group.full ? -Infinity : Math.max(group.lastWrite + WRITE_SPACING_MS, this.#due - SLACK_MS)
  }

  #arm(group: SubscriberGroup, now: number): void {
    if (this.#soon) return
    const at = this.#earliest(group)
    if (at <= now) return this.#atEndOfTurn()
    if (this.#alarm !== undefined) {
      if (this.#alarm.at <= at) return
      this.#alarm.cancel()
    }
    this.#alarm = { at, cancel: this.#timing.after(Math.ceil(at - now), this.#ring) }
  }

  #atEndOfTurn(): void {
    this.#alarm?.cancel()
    this.#alarm = undefined
    this.#soon = true
    this.#timing.soon(this.#turn)
  }

  readonly #ring = () => {
    this.#alarm = undefined
    this.#turn()
  }

  readonly #turn = () => {
    this.#soon = false
    if (this.#underWay.length === 0) {
      const now = this.#timing.now()
      for (const group of this.#waiting) {
        if (this.#earliest(group) > now + EARLY_MS) continue
        this.#waiting.delete(group)
        this.#underWay.push(group.beginWrite(now))
      }
    }
    this.#write(SLICE_MS)
  }

  /** Continues the writes under way for this long; then schedules the next ones. */
  #write(millis: number): void {
    const begin = this.#timing.now()
    let now = begin
    for (; this.#underWay.length > 0 && now < begin + millis; now = this.#timing.now()) {
      const write = this.#underWay[0]!
      const { batch, subscribers } = write
      const until = Math.min(subscribers.length, write.next + LOOK_EVERY)
      while (write.next < until) subscribers[write.next++]!.send(batch)
      if (write.next === subscribers.length) this.#underWay.shift()
    }
    this.#due = Math.max(this.#due, begin) + (now - begin) / SHARE
    if (this.#underWay.length > 0) return this.#atEndOfTurn()
    for (const group of this.#waiting) this.#arm(group, now)
  }
}
