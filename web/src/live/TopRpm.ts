/** The highest revolutions of an engine. Two points in a row must reach them, because a single one may be a spike of the feed. */
export class TopRpm {
  value = 0
  #before = Number.NaN

  read(rpm: number): void {
    const both = Math.min(this.#before, rpm)
    if (both > this.value) this.value = both
    this.#before = rpm
  }
}
