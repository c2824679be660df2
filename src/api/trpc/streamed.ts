/**
 * Answers that are written while they are read. Points of a range of any length are sent in pieces, as in REST,
 * although tRPC makes its answers from values. A call answers with a mark, a string that nobody can guess; when the
 * answer is sent, the text replaces the mark. The service holds one piece at a time.
 */
import { Stream } from "effect"
import { randomUUID } from "node:crypto"
import { utf8 } from "../../formats/pieces.ts"
import type { Text } from "../../operations/operation.ts"

/** The marks in the answers to one request. */
export class Marks {
  readonly #secret = randomUUID()
  readonly #texts: Array<Text> = []

  /** The value in place of the JSON of `text`. */
  mark(text: Text): string {
    return `${this.#secret}:${this.#texts.push(text) - 1}`
  }

  /** The answer, with the texts in place of their marks, as `sent` gives them. */
  fill(answer: string, sent: (text: Text) => Text): Text {
    const parts = answer.split(new RegExp(`"${this.#secret}:(\\d+)"`))
    return Stream.flatMap(Stream.fromIterable(parts.entries()), ([place, part]) =>
      place % 2 === 0 ? Stream.make(utf8(part)) : sent(this.#texts[Number(part)]!)
    )
  }

  get used(): boolean {
    return this.#texts.length > 0
  }
}
