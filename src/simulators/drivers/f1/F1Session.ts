/**
 * What is recorded of one session, and when: its points wait until its names are known, for as long as that may take.
 * Session comes twice a second, Participants every 5 s (f1-udp-2023-2026.md, section 3).
 */
import type { EventBuffer, Sample } from "../../EventBuffer.ts"
import { type Header, readParticipant, readSession } from "./decode.ts"
import { vehicleName } from "./teams.ts"
import { trackName } from "./tracks.ts"

/** Two rounds of Participants: who has not heard the names by then starts without. */
const NAMES_WITHIN_S = 10

export class F1Session {
  #state: "waiting" | "held" | "running" | "over" = "waiting"
  #heldSince = Number.NaN
  #circuit: string | undefined
  #circuitLength: number | undefined
  #driver: { readonly name: string; readonly vehicle: string } | undefined
  #isSpectating = false

  /** The player only looks on. */
  get isSpectating(): boolean {
    return this.#isSpectating
  }

  get isOver(): boolean {
    return this.#state === "over"
  }

  /** Points of it have come. */
  get hasPoints(): boolean {
    return this.#state === "held" || this.#state === "running"
  }

  session(bytes: Buffer): void {
    const { isSpectating, trackId, trackLength } = readSession(bytes)
    this.#isSpectating = isSpectating
    const name = trackName(trackId)
    if (name === "") return
    this.#circuit = name
    this.#circuitLength = trackLength > 0 ? trackLength : undefined
  }

  participants(bytes: Buffer, { gameYear, layout, player }: Header): void {
    if (player >= layout.cars) return
    const { myTeam, name, team } = readParticipant(bytes, layout, player)
    this.#driver = { name, vehicle: vehicleName(team, myTeam, gameYear) }
  }

  point(sample: Sample, arrival: number, events: EventBuffer): void {
    if (this.#state === "waiting") {
      this.#state = "held"
      this.#heldSince = arrival
      events.hold()
    }
    this.announce(arrival, events)
    events.point(sample)
  }

  /** Starts the session for the recorder once its names are known, or nobody waits for them any more. */
  announce(arrival: number, events: EventBuffer): void {
    if (this.#state !== "held") return
    const known = this.#circuit !== undefined && this.#driver !== undefined
    if (!known && arrival - this.#heldSince < NAMES_WITHIN_S) return
    this.#state = "running"
    events.start({
      circuit: this.#circuit ?? "",
      vehicle: this.#driver?.vehicle ?? "",
      driver: this.#driver?.name ?? "",
      datetime: undefined,
      clockZero: undefined,
      circuitLength: this.#circuitLength,
      startLine: undefined,
      tellsLaps: true
    })
  }

  end(events: EventBuffer): void {
    if (this.hasPoints) {
      this.announce(Infinity, events)
      events.end()
    }
    this.#state = "over"
  }
}
