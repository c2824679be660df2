/** Follows the game's own state of the session (project-cars2-ams2-udp.md, section 9). */
import { GameState, gameState, SessionState } from "./layout.ts"

/**
 * `left`: for the menus. `restarted`: the game reports it. `another`: practice, qualifying or race follows another of
 * these. `interrupted`: by a pause or a replay.
 */
export type Change = "left" | "restarted" | "another" | "interrupted" | "none"

/** In these states the game's telemetry is not of a driven car. */
const NOT_DRIVEN: ReadonlySet<number | undefined> = new Set([
  GameState.paused,
  GameState.replay,
  GameState.frontEndReplay
])

export class Pc2State {
  /** Undefined before the first packet that reports it: the session may have been running before. */
  #game: number | undefined
  /** The last that was reported. */
  #reported: number | undefined

  get isKnown(): boolean {
    return this.#game !== undefined
  }

  /** The car is driven; it still counts as driven in a menu that does not stop the time. */
  get isDriving(): boolean {
    return this.#game === undefined || this.#game === GameState.playing || this.#game === GameState.menuInTime
  }

  get isNotDriven(): boolean {
    return NOT_DRIVEN.has(this.#game)
  }

  /** Practice, qualifying or race; a formation lap belongs to the race. Undefined while it is not reported. */
  get kind(): number | undefined {
    return this.isFormationLap ? SessionState.race : this.#reported
  }

  get isFormationLap(): boolean {
    return this.#reported === SessionState.formationLap
  }

  /** Takes a game state packet. */
  change(bytes: Buffer): Change {
    const state = gameState.read.state(bytes)
    const before = this.#game
    const game = (this.#game = state & 7)
    switch (game) {
      case GameState.exited:
      case GameState.frontEnd:
      case GameState.frontEndReplay:
        this.#reported = undefined
        return game === before ? "none" : "left"
      case GameState.restarting:
        return "restarted"
      case GameState.paused:
      case GameState.replay:
        return "interrupted"
      default:
        return this.#isAnother((state >> 4) & 7) ? "another" : "none"
    }
  }

  #isAnother(reported: number): boolean {
    if (reported === 0 || reported > SessionState.last) return false
    const before = this.kind
    this.#reported = reported
    return before !== undefined && this.kind !== before
  }
}
