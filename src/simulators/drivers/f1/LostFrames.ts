/** A silence this long is the game's own, s of its clock: it sends nothing while it loads. */
const SILENCE_S = 5
/** Steps that the usual one is the mean of, and how many it takes to be known. */
const WINDOW = 16
const KNOWN_AFTER = 4

/**
 * Frames that were lost on the way. Nothing numbers them: the game counts its own frames and sends some of them, so a
 * loss shows as a step that is a multiple of the usual one, in frames and in time alike. A game that stutters steps
 * further in time alone, one whose picture comes faster than before in frames alone.
 */
export class LostFrames {
  #frame = Number.NaN
  #time = Number.NaN
  /** The usual step, and of how many it was learnt. */
  #frames = 0
  #seconds = 0
  #learnt = 0

  /** The next step cannot be measured: a flashback, a pause in what is sent. */
  interrupt(): void {
    this.#frame = Number.NaN
  }

  /** How many frames were lost before this one. */
  before(frame: number, time: number): number {
    const frames = frame - this.#frame
    const seconds = time - this.#time
    this.#frame = frame
    this.#time = time
    if (!(frames > 0 && seconds > 0 && seconds < SILENCE_S)) return 0
    const isKnown = this.#learnt >= KNOWN_AFTER
    const steps = Math.min(Math.round(frames / this.#frames), Math.round(seconds / this.#seconds))
    // One long step does not change what is usual; many of them do.
    const counted = (step: number, usual: number) => (isKnown ? Math.min(step, 2 * usual) : step)
    this.#learnt = Math.min(WINDOW, this.#learnt + 1)
    this.#frames += (counted(frames, this.#frames) - this.#frames) / this.#learnt
    this.#seconds += (counted(seconds, this.#seconds) - this.#seconds) / this.#learnt
    return isKnown ? Math.max(0, steps - 1) : 0
  }
}
