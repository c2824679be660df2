import type { KnownStranger, Strangers as Heard } from "../domain/errors.ts"

/** Lengths that are told of: who sends more different ones need not be told them all. */
const MOST_LENGTHS = 3

/** Counts what comes while a simulator is waited for, and is none of its: so much as an answer has room for, however much it is. */
export class Strangers {
  #datagrams = 0
  #isMore = false
  readonly #lengths: Array<number> = []
  #known: KnownStranger | undefined

  readonly hear = (bytes: number, known: KnownStranger | undefined): void => {
    this.#datagrams++
    this.#known ??= known
    if (this.#lengths.includes(bytes)) return
    if (this.#lengths.length < MOST_LENGTHS) this.#lengths.push(bytes)
    else this.#isMore = true
  }

  /** Undefined where nothing came. */
  get heard(): Heard | undefined {
    if (this.#datagrams === 0) return undefined
    return {
      datagrams: this.#datagrams,
      lengths: this.#lengths.toSorted((a, b) => a - b),
      hasOthers: this.#isMore,
      ...(this.#known === undefined ? {} : { known: this.#known })
    }
  }
}
