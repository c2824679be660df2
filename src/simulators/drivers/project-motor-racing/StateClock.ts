/**
 * A clock for Project Motor Racing, whose packets have none. It follows the lap's clock in the states, and the arrivals only
 * between two states. So neither a pause nor datagrams that waited while the service was busy change its time.
 */
import type { ValuesOf } from "../../packets/Sequence.ts"
import type { state } from "./layout.ts"

export type CarState = ValuesOf<typeof state>

/** The next state is awaited for this many intervals of the last two; an interval counts as at most `MAX_WAIT_S`, s. */
const INTERVALS = 4
const MAX_WAIT_S = 0.25
/** Each time is at least this much after the last one, s. */
const STEP_S = 1e-4

const isPositive = (value: number | undefined): value is number => value !== undefined && value > 0

/** The time that passed across the line, s; undefined where the states do not show it. */
const overLine = (last: CarState, now: CarState): number | undefined => {
  const { lastLapTime } = now
  if (!isPositive(lastLapTime) || lastLapTime === last.lastLapTime) return undefined
  const rest = lastLapTime - last.currentLapTime
  return rest >= 0 && rest < 1 ? rest + Math.max(0, now.currentLapTime) : undefined
}

export class StateClock {
  #clock = Number.NaN
  #last: CarState | undefined
  #arrival = Number.NaN
  /** The interval of the last two states that advanced, s. */
  #interval = MAX_WAIT_S
  /** When any packet of the car was last heard. */
  #heard = Number.NaN
  #given = Number.NaN

  /** The time of the newest state, s on the feed's clock; NaN before the first. */
  get time(): number {
    return this.#clock
  }

  /** The next states belong to another session, or to another car. */
  begin(): void {
    this.#last = undefined
  }

  /** Takes a state that follows the last. `hasMoved`: whether the car has moved since that one. */
  advance(now: CarState, arrival: number, hasMoved: boolean): void {
    const step = this.#stepTo(now, arrival, hasMoved)
    this.#last = now
    this.#heard = arrival
    if (step === 0) return
    this.#interval = Math.min(MAX_WAIT_S, step)
    this.#clock += step
    this.#arrival = arrival
  }

  /** The time of a packet after the newest state; undefined where the states stand still. */
  at(arrival: number): number | undefined {
    const wait = INTERVALS * this.#interval
    // The game was paused or the service busy: the silence does not count as time since the newest state.
    const silence = arrival - this.#heard
    if (silence > wait) this.#arrival += silence
    this.#heard = arrival
    const since = Math.max(0, arrival - this.#arrival)
    if (!(since <= wait)) return undefined
    const time = this.#clock + since
    this.#given = time > this.#given || Number.isNaN(this.#given) ? time : this.#given + STEP_S
    return this.#given
  }

  #stepTo(now: CarState, arrival: number, hasMoved: boolean): number {
    const last = this.#last
    if (Number.isNaN(this.#clock)) {
      this.#clock = 0
      return arrival
    }
    const passed = arrival - this.#arrival
    if (last === undefined) return Math.max(this.#given - this.#clock, passed, 0) + STEP_S
    const step = now.currentLapTime - last.currentLapTime
    if (now.currentLap === last.currentLap && step > 0) return step
    if (now.currentLap === last.currentLap + 1) {
      return overLine(last, now) ?? Math.max(now.currentLapTime, Math.min(passed, MAX_WAIT_S), STEP_S)
    }
    // As in a formation lap, in which no lap time runs.
    return hasMoved ? Math.min(Math.max(0, passed), MAX_WAIT_S) : 0
  }
}
