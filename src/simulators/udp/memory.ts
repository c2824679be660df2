/**
 * Keeps the state of a game from one link to the next: a game that is paused for long sends nothing, and its lap goes
 * on after that. The state is kept from a connection's connect to its disconnect, for one game at a time.
 */
import { EventBuffer } from "../EventBuffer.ts"

/**
 * After this long without a datagram another link begins anew, s. The recorder ends a session that no link has
 * continued for ten minutes; a session that goes on for an interpreter must go on for the recorder.
 */
const FORGOTTEN_AFTER_S = 9 * 60

/** The interpreter of one game, and its events that no link has delivered yet. */
export class RememberedGame<Interpreter> {
  readonly interpreter: Interpreter
  readonly events = new EventBuffer()
  /** When the last datagram was heard, s. */
  #heard: number
  #isOverNewLink = false

  constructor(interpreter: Interpreter, now: number) {
    this.interpreter = interpreter
    this.#heard = now
  }

  isForgotten(now: number): boolean {
    return now - this.#heard >= FORGOTTEN_AFTER_S
  }

  /** Another link begins, over which nothing was heard yet. */
  link(): void {
    this.#isOverNewLink = true
  }

  /** Called before datagrams are read, as often as the caller likes. */
  hear(now: number): void {
    this.#heard = now
    if (!this.#isOverNewLink) return
    this.#isOverNewLink = false
    // The recorder still has its session.
    this.events.goOn()
  }
}

/** For all links of a connection, by the name of the game's protocol. */
export type Memory = Map<string, RememberedGame<unknown>>

/** The game of the link before, or another: `make` makes its interpreter. `now` in s. */
export const recall = <Interpreter>(
  memory: Memory,
  protocol: string,
  now: number,
  make: () => Interpreter
): RememberedGame<Interpreter> => {
  const before = memory.get(protocol) as RememberedGame<Interpreter> | undefined
  if (before !== undefined && !before.isForgotten(now)) {
    before.link()
    return before
  }
  const game = new RememberedGame(make(), now)
  // The recorder has the session of this game from now on: no other game's may go on.
  memory.clear()
  memory.set(protocol, game)
  return game
}
