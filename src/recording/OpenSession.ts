/** A session that is being recorded: the clock of its feed, what it has admitted, and its laps. Plain, without I/O. */
import type { SessionNames } from "../domain/Session.ts"
import { type Admission, admit, type FeedPoints } from "./admission.ts"
import type { Entry } from "./Intake.ts"
import type { LapCut } from "./laps.ts"
import type { LapTracker } from "./LapTracker.ts"

/** The clock zero of a feed whose first points arrive now; a time that is no number tells nothing. */
const zeroOf = (times: Float64Array, arrival: number): number | undefined => {
  const first = times.find((time) => Number.isFinite(time))
  return first === undefined ? undefined : arrival - first
}

export interface OpenSessionOptions {
  readonly id: number
  readonly names: SessionNames
  readonly tracker: LapTracker
  readonly zero: number | undefined
  readonly last: number
  readonly awaitsSimulator: boolean
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

  constructor({ awaitsSimulator, id, last, names, tracker, zero }: OpenSessionOptions) {
    this.id = id
    this.names = names
    this.tracker = tracker
    this.zero = zero
    this.awaitsSimulator = awaitsSimulator
    this.#last = last
  }

  /** The last admitted timestamp, epoch seconds; -Infinity before the first. */
  get last(): number {
    return this.#last
  }

  /** Points that arrived at `arrival`, epoch seconds: put on the epoch's clock where they are, and those that may be recorded. */
  admit(points: FeedPoints, arrival: number): Admission {
    const times = points.batch.timestamps
    this.zero ??= zeroOf(times, arrival)
    const zero = this.zero ?? Number.NaN
    for (let i = 0; i < times.length; i++) times[i]! += zero
    const admission = admit(points, this.#last)
    this.#last = admission.points.batch.timestamps.at(-1) ?? this.#last
    return admission
  }

  entryOf(cut: LapCut): Entry {
    return { _tag: "Lap", lap: { session_id: this.id, ...cut } }
  }

  /** Epoch seconds of a time on the feed's clock; undefined where that is not known. */
  anchored(time: number | undefined): number | undefined {
    return time === undefined || this.zero === undefined ? undefined : this.zero + time
  }
}
