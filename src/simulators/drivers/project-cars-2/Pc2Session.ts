/** What counts as one session, and when it runs (project-cars2-ams2-udp.md, section 9). */
import type { EventBuffer } from "../../EventBuffer.ts"
import { NamedSession } from "../../NamedSession.ts"
import { GameState, gameState, SessionState } from "./layout.ts"
import type { KnownNames } from "./Pc2Names.ts"

/** Names that are known stay; those that were missing come. */
const completed = (known: KnownNames, told: KnownNames): KnownNames => ({
  place: known.place ?? told.place,
  vehicle: known.vehicle ?? told.vehicle,
  driver: known.driver ?? told.driver
})

/** `left`: for the menus. `interrupted`: by a pause or a replay. */
export type Change = "left" | "restarted" | "interrupted" | "none"

const NAMELESS: KnownNames = { place: undefined, vehicle: undefined, driver: undefined }

const isWhole = ({ driver, place, vehicle }: KnownNames): boolean =>
  driver !== undefined && place !== undefined && vehicle !== undefined

const isTold = (name: string | undefined): boolean => name !== undefined && name !== ""

const differ = (one: string | undefined, other: string | undefined): boolean =>
  isTold(one) && isTold(other) && one !== other

/** In these states the game sends telemetry of nothing that is driven. */
const NOT_DRIVEN: ReadonlySet<number> = new Set([
  GameState.paused,
  GameState.replay,
  GameState.frontEndReplay
])

export class Pc2Session {
  readonly #recorded = new NamedSession(
    () => isWhole(this.#names) && this.#game !== undefined,
    () => {
      const { driver = "", place, vehicle = "" } = this.#names
      return { circuit: place?.circuit ?? "", vehicle, driver, circuitLength: place?.length }
    }
  )
  /** The names with which it began, and those that came later; the newest while it waits for them. */
  #names = NAMELESS
  /** Unknown before the first packet that tells it: the session may have been running before. */
  #game: number | undefined
  #kind: number | undefined

  /** The car is driven; it still counts as driven in a menu that does not stop the time. */
  get isDriving(): boolean {
    return this.#game === undefined || this.#game === GameState.playing || this.#game === GameState.menuInTime
  }

  get isBegun(): boolean {
    return this.#recorded.isBegun
  }

  get isRace(): boolean {
    return this.#kind === SessionState.race || this.#kind === SessionState.formationLap
  }

  /** A session in which the car may go back to its garage and drive out again. */
  get isFree(): boolean {
    return this.#kind !== undefined && !this.isRace
  }

  /** Takes a game state packet. */
  change(bytes: Buffer, events: EventBuffer): Change {
    const state = gameState.read.state(bytes)
    const game = state & 7
    const isFirst = this.#game === undefined
    const isChanged = game !== this.#game
    this.#game = game
    // The link was opened in a replay or a pause.
    if (isFirst && NOT_DRIVEN.has(game)) this.#recorded.drop(events)
    switch (game) {
      case GameState.exited:
      case GameState.frontEnd:
      case GameState.frontEndReplay:
        this.#kind = undefined
        return isChanged ? "left" : "none"
      case GameState.restarting:
        return "restarted"
      case GameState.paused:
      case GameState.replay:
        return "interrupted"
      default:
        return this.#isAnotherKind((state >> 4) & 7) ? "restarted" : "none"
    }
  }

  /** Practice, qualifying and race are separate sessions; a formation lap belongs to the race. */
  #isAnotherKind(kind: number): boolean {
    if (kind === 0 || kind > SessionState.last) return false
    const before = this.#kind
    this.#kind = kind
    const isFormed = before === SessionState.formationLap && kind === SessionState.race
    return before !== undefined && kind !== before && !isFormed
  }

  /** The next point belongs to another session. */
  renew(events: EventBuffer): void {
    if (this.#recorded.isRunning) this.#recorded.leave(events)
    this.#names = NAMELESS
  }

  end(events: EventBuffer): void {
    this.#recorded.end(events)
  }

  /** The link ends: nothing waits for names that may never come. */
  linkLost(events: EventBuffer): void {
    this.#recorded.startNow(events)
  }

  /** Called for each point. Starts its session once its names are known; calls `renewed` where other names mean another session. */
  begin(names: KnownNames, arrival: number, events: EventBuffer, renewed: () => void): void {
    const recorded = this.#recorded
    if (recorded.isRunning && this.#isOther(names)) {
      recorded.leave(events)
      renewed()
    }
    if (!recorded.isRunning) this.#names = names
    else if (!isWhole(this.#names)) this.#names = completed(this.#names, names)
    recorded.begin(arrival, events)
  }

  #isOther({ place, vehicle }: KnownNames): boolean {
    const known = this.#names
    return differ(known.place?.circuit, place?.circuit) || differ(known.vehicle, vehicle)
  }
}
