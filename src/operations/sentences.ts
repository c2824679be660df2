/** The sentences of answers that turn a request down: `limit must be between 1 and 1000, got 0`. */
import type { UnexpectedTraffic } from "../domain/errors.ts"
import { abridged } from "../domain/expecting.ts"

export const addressOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`

const listed = (lengths: ReadonlyArray<number>, hasOthers: boolean): string =>
  hasOthers ? `${lengths.join(", ")} and other lengths of bytes` : `${lengths.join(" or ")} bytes`

/** What came instead of a simulator's datagrams: what follows on the word that it did not answer. */
export const unexpectedTraffic = ({ datagrams, hasOthers, known, lengths }: UnexpectedTraffic): string => {
  const came = datagrams === 1 ? "1 datagram" : `${datagrams} datagrams`
  const are = datagrams === 1 ? "is" : "are"
  const whose = known === undefined ? "" : `, but ${known.game}'s: ${known.advice}`
  return `; ${came} of ${listed(lengths, hasOthers)} came that ${are} not its${whose}`
}

/** One thing that a schema finds wrong, as Effect's ArrayFormatter tells it. */
export interface Issue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

const inWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false"
}

/** What Effect says of a value that it did not expect. */
const unexpected = /^Expected (.+?), actual (.*)$/

const expectedBy = ({ message }: Issue): string => {
  const expected = unexpected.exec(message.replace(/\s+/g, " "))?.[1] ?? message
  if (expected.startsWith("{")) return "an object"
  return expected.startsWith("ReadonlyArray<") ? "an array" : (inWords[expected] ?? expected)
}

/**
 * Our schemas' messages are the sentence's end, or what was expected; Effect's own are brought to that form.
 * Of a value that may be one of several things there is an issue for each, and that it may be left out is one.
 * `whole`: what to call the value itself.
 */
export const sentenceOf = (issues: ReadonlyArray<Issue>, whole = "The request body"): string => {
  const [first] = issues
  if (first === undefined) return "The request does not fit its schema"
  const name = first.path.length === 0 ? whole : first.path.map(String).join(".")
  if (first.message === "is missing") return `${name} is missing`
  const actual = unexpected.exec(first.message.replace(/\s+/g, " "))?.[2]
  if (actual === undefined) {
    return first.message.startsWith("must be ")
      ? `${name} ${first.message}`
      : `${name} must be ${first.message}`
  }
  if (first.path.length === 0) return `${name} must be a JSON object, got ${abridged(actual)}`
  const alternatives = issues
    .filter(({ path }) => path.map(String).join(".") === name)
    .map(expectedBy)
    .filter((expected) => expected !== "undefined")
  return `${name} must be ${[...new Set(alternatives)].join(" or ")}, got ${abridged(actual)}`
}
