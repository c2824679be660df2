/** A session that is being recorded: the clock of its feed, what it has admitted, and its laps. Plain, without I/O. */
import type { SessionNames } from "../domain/Session.ts"
import { isPointTime } from "../domain/Time.ts"
import { type Admission, admit, type FeedPoints, leadAfter } from "./admission.ts"
import type { IntakeEntry } from "./Intake.ts"
import type { LapCut, LapMessage } from "./laps.ts"
import type { LapTracker } from "./LapTracker.ts"

/** The clock zero of a feed whose first points arrive now; a time that no clock has tells nothing. */
const zeroOf = (times: Float64Array, arrival: number): number | undefined => {
  const first = times.find((time) => isPointTime(Math.abs(time)))
  return first === undefined ? undefined : arrival - first
}

export interface OpenSessionOptions {
  readonly id: number
  readonly names: SessionNames
  readonly tracker: LapTracker
  readonly zero: number | undefined
  readonly last: number
  /** When the point at `last` arrived, epoch seconds. */
  readonly lastArrival: number
  readonly awaitsSimulator: boolean
  /** Points that it has; undefined where nobody knows, and then its points have no numbers. */
  readonly recorded: number | undefined
}

export class OpenSession {
  readonly id: number
  readonly names: SessionNames
  readonly tracker: LapTracker
  /** Epoch seconds of the feed's clock zero; undefined until the first point's arrival tells. */
  zero: number | undefined
  /** Opened, or left by its link, and not yet taken up by the simulator's session message. */
  awaitsSimulator: boolean
  #last: number
  #lastArrival: number
  #recorded: number | undefined

  constructor(options: OpenSessionOptions) {
    const { awaitsSimulator, id, last, lastArrival, names, recorded, tracker, zero } = options
    this.id = id
    this.names = names
    this.tracker = tracker
    this.zero = zero
    this.awaitsSimulator = awaitsSimulator
    this.#last = last
    this.#lastArrival = lastArrival
    this.#recorded = recorded
  }

  /** The last admitted timestamp, epoch seconds; -Infinity before the first. */
  get last(): number {
    return this.#last
  }

  /** When that point arrived, epoch seconds. */
  get lastArrival(): number {
    return this.#lastArrival
  }

  /** Points that arrived at `arrival`, epoch seconds: put on the epoch's clock where they are, and those that may be recorded. */
  admit(points: FeedPoints, arrival: number): Admission {
    const times = points.batch.timestamps
    this.zero ??= zeroOf(times, arrival)
    const zero = this.zero ?? 0
    for (let i = 0; i < times.length; i++) times[i]! += zero
    const admission = admit(points, { last: this.#last, ago: arrival - this.#lastArrival })
    const last = admission.points.batch.timestamps.at(-1)
    if (last !== undefined) {
      this.#last = last
      this.#lastArrival = arrival
    }
    return admission
  }

  /** Counts points that are recorded: the number of the first of them among the session's, from 1; undefined where nobody knows. */
  number(points: number): number | undefined {
    if (this.#recorded === undefined) return undefined
    const first = this.#recorded + 1
    this.#recorded += points
    return first
  }

  entryOf(cut: LapCut): IntakeEntry {
    return { _tag: "Lap", lap: { sessionId: this.id, ...cut } }
  }

  /** A lap message that arrives at `arrival` on the epoch's clock; undefined where its times cannot be. */
  lapMessage(message: LapMessage, arrival: number): LapMessage | undefined {
    const start = this.#anchored(message.start)
    const end = this.#anchored(message.end)
    const last = this.#last
    const latest =
      last === -Infinity ? Infinity : last + leadAfter({ last, ago: arrival - this.#lastArrival })
    const canBe = (time: number | undefined) => time === undefined || (isPointTime(time) && time <= latest)
    return canBe(start) && canBe(end) ? { ...message, start, end } : undefined
  }

  /** Epoch seconds of a time on the feed's clock; undefined where that is not known. */
  #anchored(time: number | undefined): number | undefined {
    return time === undefined || this.zero === undefined ? undefined : this.zero + time
  }
}
