/** Driving for this long, s, shows the revolutions that the driver uses. */
const SHOWN_AFTER_S = 30

/** The highest revolutions of an engine. Two points in a row must reach them, because a single one may be a spike of the feed. */
export class TopRpm {
  value = 0
  #before = Number.NaN
  #since = Number.NaN
  #until = Number.NaN

  read(rpm: number, time = Number.NaN): void {
    const both = Math.min(this.#before, rpm)
    if (both > this.value) this.value = both
    this.#before = rpm
    if (Number.isNaN(rpm)) return
    // A clock that goes back begins anew.
    if (!(time >= this.#until)) this.#since = time
    this.#until = time
  }

  /** Whether it has been read for so long that an engine at these revolutions is near its end. */
  get isKnown(): boolean {
    return this.#until - this.#since >= SHOWN_AFTER_S
  }
}
