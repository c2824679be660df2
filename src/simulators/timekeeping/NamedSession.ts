/**
 * A session of a simulator that sends its names some seconds after the first point, or never: the points wait for them,
 * up to a limit. Names that come after the limit are reported then. Plain.
 */
import type { EventBuffer, Started } from "../EventBuffer.ts"

/** Two rounds of the slowest names (F1's Participants come every 5 s); after that a session starts without the missing names, s. */
const NAMES_WITHIN_S = 10

/** "" where a name is unknown; `circuitLength`: m. */
export type KnownSessionNames = Pick<Started, "circuit" | "circuitLength" | "driver" | "vehicle">

/**
 * The start of a session of a simulator that times laps itself, and sends no date, no zero of its clock and no start
 * line.
 */
export const timedSession = (names: KnownSessionNames): Started => ({
  ...names,
  datetime: undefined,
  clockZero: undefined,
  startLine: undefined,
  tellsLaps: true,
  numbersLaps: true
})

export class NamedSession {
  readonly #isKnown: () => boolean
  readonly #names: () => KnownSessionNames
  #state: "none" | "waiting" | "running" = "none"
  #waitsSince = Number.NaN
  /** The names with which it started without all of them; undefined where none is missing. */
  #partly: KnownSessionNames | undefined

  /** `isKnown`: whether all of its names are known. `names`: those that are known now. */
  constructor(isKnown: () => boolean, names: () => KnownSessionNames) {
    this.#isKnown = isKnown
    this.#names = names
  }

  /** Whether points of it have come. */
  get isBegun(): boolean {
    return this.#state !== "none"
  }

  /** Whether the recorder knows of it. */
  get isRunning(): boolean {
    return this.#state === "running"
  }

  /** Called for each point: the session begins with it, unless it has begun. All that follows waits for the names. */
  begin(arrival: number, events: EventBuffer): void {
    if (this.#state === "none") {
      this.#state = "waiting"
      this.#waitsSince = arrival
      events.hold()
    }
    this.settle(arrival, events)
  }

  /**
   * Starts a waiting session for the recorder if its names are known, or it has waited long enough; reports names that
   * were missing then.
   */
  settle(arrival: number, events: EventBuffer): void {
    if (this.#state === "waiting") {
      if (arrival - this.#waitsSince >= NAMES_WITHIN_S || this.#isKnown()) this.#start(events)
    } else if (this.#partly !== undefined) this.#complete(this.#partly, events)
  }

  /** A waiting session starts with the names that are known; those that come later are reported. */
  startNow(events: EventBuffer): void {
    if (this.#state === "waiting") this.#start(events)
  }

  /** Drops a waiting session, which was not one. Returns the number of its points. */
  drop(events: EventBuffer): number {
    if (this.#state !== "waiting") return 0
    this.#state = "none"
    return events.drop()
  }

  /** The next point begins another session. A waiting session starts with the names that are known. */
  leave(events: EventBuffer): void {
    this.startNow(events)
    this.#state = "none"
    this.#partly = undefined
  }

  /** The session is over, if one has begun. */
  end(events: EventBuffer): void {
    if (this.#state === "none") return
    this.leave(events)
    events.end()
  }

  #start(events: EventBuffer): void {
    this.#state = "running"
    const names = this.#names()
    this.#partly = this.#isKnown() ? undefined : names
    events.start(timedSession(names))
  }

  #complete(reported: KnownSessionNames, events: EventBuffer): void {
    const { circuit, driver, vehicle } = this.#names()
    if (circuit !== reported.circuit || driver !== reported.driver || vehicle !== reported.vehicle) {
      events.rename({ circuit, driver, vehicle })
    }
    this.#partly = this.#isKnown() ? undefined : { ...reported, circuit, driver, vehicle }
  }
}
