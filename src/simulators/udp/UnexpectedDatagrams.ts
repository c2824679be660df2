import type { OtherGame, UnexpectedTraffic } from "../../domain/errors.ts"

/** The maximum number of lengths that an answer names; it need not list all lengths of a sender with more. */
const MAX_LENGTHS = 3

/** Counts datagrams that arrive while a connect waits for a simulator, and that do not belong to it. */
export class UnexpectedDatagrams {
  #datagrams = 0
  #isMore = false
  readonly #lengths: Array<number> = []
  #known: OtherGame | undefined

  readonly add = (bytes: number, known: OtherGame | undefined): void => {
    this.#datagrams++
    this.#known ??= known
    if (this.#lengths.includes(bytes)) return
    if (this.#lengths.length < MAX_LENGTHS) this.#lengths.push(bytes)
    else this.#isMore = true
  }

  get count(): number {
    return this.#datagrams
  }

  /** Undefined where none came. */
  get heard(): UnexpectedTraffic | undefined {
    if (this.#datagrams === 0) return undefined
    return {
      datagrams: this.#datagrams,
      lengths: this.#lengths.toSorted((a, b) => a - b),
      hasOthers: this.#isMore,
      ...(this.#known === undefined ? {} : { known: this.#known })
    }
  }
}
