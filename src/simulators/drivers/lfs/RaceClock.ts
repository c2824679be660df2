/**
 * The feed's clock, out of the race's that OutGauge tells (s) and that begins anew with a race. Plain.
 *
 * A restart is told over TCP, readings of the clock come over UDP, and either may be first.
 */
import { Timeline } from "../../Timeline.ts"

/**
 * Datagrams of before a restart may come after it is told, over another way. They go on with the old clock: s on that
 * clock, and for how long they are looked for.
 */
const OLD_STEP_S = 0.5
const OLD_FOR_S = 0.25
/** What TCP tells happened so long after the newest point at the most; beyond that the points had stopped: s. */
const AFTER_POINT_S = 0.5

export class RaceClock {
  readonly #timeline = new Timeline()
  #restartedAt: number | undefined
  /** The newest reading, and when it came: s. */
  #clock = Number.NaN
  #arrival = 0
  /** When it last leapt. */
  #leaptAt = Number.NEGATIVE_INFINITY

  /** A restart was told, and nothing has come since that is surely of the new race. */
  get isAwaited(): boolean {
    return this.#restartedAt !== undefined
  }

  restart(arrival: number): void {
    this.#timeline.restart()
    // The new clock may be here before the word of it.
    if (arrival - this.#leaptAt > OLD_FOR_S) this.#restartedAt = arrival
  }

  /** The time of a reading; undefined for one that is of before the restart, came late or twice. */
  at(clock: number, arrival: number): number | undefined {
    if (this.#isOfBefore(clock, arrival)) return undefined
    const time = this.#timeline.at(clock, arrival)
    if (time === undefined) return undefined
    if (Math.abs(clock - this.#clock) > OLD_STEP_S) this.#leaptAt = arrival
    this.#clock = clock
    this.#arrival = arrival
    return time
  }

  /** The time of what TCP told at `arrival`. */
  beside(arrival: number): number {
    return this.#timeline.time + Math.min(AFTER_POINT_S, Math.max(0, arrival - this.#arrival))
  }

  #isOfBefore(clock: number, arrival: number): boolean {
    if (this.#restartedAt === undefined) return false
    const step = clock - this.#clock
    if (Math.abs(step) <= OLD_STEP_S && arrival - this.#restartedAt <= OLD_FOR_S) return true
    this.#restartedAt = undefined
    return false
  }
}
