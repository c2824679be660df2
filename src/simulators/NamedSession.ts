/**
 * A session of a simulator that tells its names some seconds after the first point, or never: the points wait for them, up to
 * a limit. Plain.
 */
import type { EventBuffer, Started } from "./EventBuffer.ts"

/** Two rounds of the slowest names (F1's Participants come every 5 s); after that a session starts without the missing names, s. */
const NAMES_WITHIN_S = 10

/** "" where a name is unknown; `circuitLength`: m. */
export type KnownSessionNames = Pick<Started, "circuit" | "circuitLength" | "driver" | "vehicle">

/** The start of a session of a simulator that times laps itself, and tells no date, no zero of its clock and no start line. */
export const timedSession = (names: KnownSessionNames): Started => ({
  ...names,
  datetime: undefined,
  clockZero: undefined,
  startLine: undefined,
  tellsLaps: true
})

export class NamedSession {
  readonly #isKnown: () => boolean
  readonly #names: () => KnownSessionNames
  #state: "none" | "waiting" | "running" = "none"
  #waitsSince = Number.NaN

  /** `isKnown`: whether all of its names are. `names`: as far as they are known now. */
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

  /** Starts a waiting session for the recorder if its names are known, or it has waited long enough. */
  settle(arrival: number, events: EventBuffer): void {
    if (this.#state !== "waiting") return
    if (arrival - this.#waitsSince >= NAMES_WITHIN_S || this.#isKnown()) this.#start(events)
  }

  /** The next point begins another session. A waiting session starts with the names that are known. */
  leave(events: EventBuffer): void {
    if (this.#state === "waiting") this.#start(events)
    this.#state = "none"
  }

  /** The session is over, if one has begun. */
  end(events: EventBuffer): void {
    if (this.#state === "none") return
    this.leave(events)
    events.end()
  }

  #start(events: EventBuffer): void {
    this.#state = "running"
    events.start(timedSession(this.#names()))
  }
}
