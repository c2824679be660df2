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
  #state: "none" | "waiting" | "running" = "none"
  #waitsSince = Number.NaN

  /** Whether points of it have come. */
  get isBegun(): boolean {
    return this.#state !== "none"
  }

  /** Whether it waits for its names. */
  get isWaiting(): boolean {
    return this.#state === "waiting"
  }

  /** Whether the recorder knows of it. */
  get isRunning(): boolean {
    return this.#state === "running"
  }

  /** Called for each point: the session begins with it, unless it has begun. All that follows waits for `start`. */
  begin(arrival: number, events: EventBuffer): void {
    if (this.isBegun) return
    this.#state = "waiting"
    this.#waitsSince = arrival
    events.hold()
  }

  /** Whether it waits and should start now: its names are known, or it has waited long enough. */
  isDue(isKnown: boolean, arrival: number): boolean {
    return this.isWaiting && (isKnown || arrival - this.#waitsSince >= NAMES_WITHIN_S)
  }

  start(names: KnownSessionNames, events: EventBuffer): void {
    this.#state = "running"
    events.start(timedSession(names))
  }

  /** The next point begins another session. A waiting session must be started before. */
  reset(): void {
    this.#state = "none"
  }
}
