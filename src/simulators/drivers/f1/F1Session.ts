/**
 * The data of one session outside its frames: its names, and the laps that are over. Session packets come twice a
 * second, Participants every 5 s, the player's SessionHistory about once a second (f1-udp-2023-2026.md, section 3).
 */
import type { KnownSessionNames } from "../../timekeeping/NamedSession.ts"
import type { CompletedLap } from "../../timekeeping/Moment.ts"
import { type Header, readHistoryLap } from "./decode.ts"
import { HEADER_BYTES } from "./layout.ts"
import { vehicleName } from "./teams.ts"
import { trackName } from "./tracks.ts"

export class F1Session {
  #circuit: string | undefined
  #circuitLength: number | undefined
  #driver: { readonly name: string; readonly vehicle: string } | undefined
  #isSpectating = false
  readonly #history = Buffer.alloc(1460)
  #hasHistory = false

  /** Whether the player only watches. */
  get isSpectating(): boolean {
    return this.#isSpectating
  }

  get isNamed(): boolean {
    return this.#circuit !== undefined && this.#driver !== undefined
  }

  get names(): KnownSessionNames {
    return {
      circuit: this.#circuit ?? "",
      vehicle: this.#driver?.vehicle ?? "",
      driver: this.#driver?.name ?? "",
      circuitLength: this.#circuitLength
    }
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

  /** A SessionHistory of the player's car. */
  history(bytes: Buffer): void {
    bytes.copy(this.#history)
    this.#hasHistory = true
  }

  /** The clock went back: the last SessionHistory has laps that may be driven again. */
  rewind(): void {
    this.#hasHistory = false
  }

  readonly completed = (lapNumber: number): CompletedLap | undefined =>
    this.#hasHistory ? readHistoryLap(this.#history, lapNumber) : undefined
}
