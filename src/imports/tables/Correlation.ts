/** Fewer pairs show nothing. */
const MIN_PAIRS = 50

/** Pearson's correlation of pairs that come one by one. */
export class Correlation {
  #n = 0
  #x = 0
  #y = 0
  #xx = 0
  #yy = 0
  #xy = 0

  add(x: number, y: number): void {
    this.#n++
    this.#x += x
    this.#y += y
    this.#xx += x * x
    this.#yy += y * y
    this.#xy += x * y
  }

  /** NaN for too few pairs, or a column that does not change. */
  get r(): number {
    const n = this.#n
    if (n < MIN_PAIRS) return Number.NaN
    const [vx, vy] = [n * this.#xx - this.#x * this.#x, n * this.#yy - this.#y * this.#y]
    return vx > 0 && vy > 0 ? (n * this.#xy - this.#x * this.#y) / Math.sqrt(vx * vy) : Number.NaN
  }
}
