/** A silence this long comes from the game, s of its clock: it sends nothing while it loads. */
const SILENCE_S = 5
/** The usual step is a running mean over about this many steps, and is known after the second number of them. */
const WINDOW = 16
const KNOWN_AFTER = 4

/**
 * Counts frames that were lost on the way. The sent frames are not numbered: the game counts its internal frames and sends some
 * of them. So a loss shows as a step that is a multiple of the usual one, both in frames and in time. A game that stutters steps
 * further in time only; a game whose frame rate rises steps further in frames only.
 */
export class LostFrames {
  #frame = Number.NaN
  #time = Number.NaN
  /** The usual step, and the number of steps behind it. */
  #frames = 0
  #seconds = 0
  #learnt = 0

  /** The next step cannot be measured: after a flashback, or a pause in sending. */
  interrupt(): void {
    this.#frame = Number.NaN
  }

  /** The number of frames that were lost before this one. */
  before(frame: number, time: number): number {
    const frames = frame - this.#frame
    const seconds = time - this.#time
    this.#frame = frame
    this.#time = time
    if (!(frames > 0 && seconds > 0 && seconds < SILENCE_S)) return 0
    const isKnown = this.#learnt >= KNOWN_AFTER
    const steps = Math.min(Math.round(frames / this.#frames), Math.round(seconds / this.#seconds))
    // One long step does not change the usual step; many long steps do.
    const counted = (step: number, usual: number) => (isKnown ? Math.min(step, 2 * usual) : step)
    this.#learnt = Math.min(WINDOW, this.#learnt + 1)
    this.#frames += (counted(frames, this.#frames) - this.#frames) / this.#learnt
    this.#seconds += (counted(seconds, this.#seconds) - this.#seconds) / this.#learnt
    return isKnown ? Math.max(0, steps - 1) : 0
  }
}
