/**
 * The recording of one session, whose points wait for its names (NamedSession). Session packets come twice a second,
 * Participants every 5 s (f1-udp-2023-2026.md, section 3).
 */
import type { EventBuffer, Sample } from "../../EventBuffer.ts"
import { NamedSession } from "../../NamedSession.ts"
import type { Header } from "./decode.ts"
import { HEADER_BYTES } from "./layout.ts"
import { vehicleName } from "./teams.ts"
import { trackName } from "./tracks.ts"

export class F1Session {
  readonly #recorded = new NamedSession(
    () => this.#circuit !== undefined && this.#driver !== undefined,
    () => ({
      circuit: this.#circuit ?? "",
      vehicle: this.#driver?.vehicle ?? "",
      driver: this.#driver?.name ?? "",
      circuitLength: this.#circuitLength
    })
  )
  #isOver = false
  #circuit: string | undefined
  #circuitLength: number | undefined
  #driver: { readonly name: string; readonly vehicle: string } | undefined
  #isSpectating = false

  /** Whether the player only watches. */
  get isSpectating(): boolean {
    return this.#isSpectating
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether points of it have come. */
  get hasPoints(): boolean {
    return this.#recorded.isBegun
  }

  session(bytes: Buffer, { layout }: Header): void {
    const { read } = layout.packets.session.head
    this.#isSpectating = read.isSpectating(bytes, HEADER_BYTES) === 1
    const name = trackName(read.trackId(bytes, HEADER_BYTES))
    const trackLength = read.trackLength(bytes, HEADER_BYTES)
    // The packets of a session that is still loading are empty, and track 0 is Melbourne.
    if (name === "" || trackLength === 0) return
    this.#circuit = name
    this.#circuitLength = trackLength
  }

  participants(bytes: Buffer, { gameYear, layout, player }: Header): void {
    if (player >= layout.cars) return
    const { participants } = layout.packets
    const { read, readText } = participants.element
    const at = participants.at(player)
    const vehicle = vehicleName(read.teamId(bytes, at), read.myTeam(bytes, at) === 1, gameYear)
    this.#driver = { name: readText.name(bytes, at), vehicle }
  }

  point(sample: Sample, arrival: number, events: EventBuffer): void {
    if (!this.#isOver) this.#recorded.begin(arrival, events)
    events.point(sample)
  }

  /** Starts the recorder's session once its names are known, or the wait for them is over. */
  announce(arrival: number, events: EventBuffer): void {
    this.#recorded.settle(arrival, events)
  }

  end(events: EventBuffer): void {
    this.#recorded.end(events)
    this.#isOver = true
  }
}
