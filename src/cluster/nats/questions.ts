/** Questions between nodes: a command or a count, and its answer. */
import { Effect, FiberSet } from "effect"
import { type Family, labelledBy } from "../../observability/prometheus.ts"
import { answerBy, type Ask, type Call } from "../commands.ts"
import { decodeExit, encodeExit, type EncodedExit } from "../messages.ts"
import { unavailable } from "../Relay.ts"
import type { Bus, Heard } from "./Bus.ts"
import { json, parsed } from "./json.ts"

/** A connect waits for a simulator. */
const DONE_WITHIN_MS = 30_000
/** A node that stands still must not hold back what the others answer. */
const READ_WITHIN_MS = 1000
const READS: ReadonlySet<Call> = new Set(["counts", "kept", "known", "stalled", "status"])

interface Question {
  readonly asked: Call
  readonly argument?: unknown
}

const withinMs = (asked: Call) => (READS.has(asked) ? READ_WITHIN_MS : DONE_WITHIN_MS)

export const subjectOf = (node: string) => `ask.${node}`

/** `answering`: what this node answers by. */
export const make = Effect.fn("questions.make")(function* (
  bus: Bus,
  node: string,
  answering: Parameters<typeof answerBy>[0]
) {
  const fork = yield* FiberSet.makeRuntime<never>()
  const own = answerBy(answering)

  /** Asks a node by its name. It answers even if the caller gives up. */
  const ask =
    (name: string): Ask =>
    (asked, argument) =>
      name === node
        ? own(asked, argument)
        : bus.request(subjectOf(name), json({ asked, argument } satisfies Question), withinMs(asked)).pipe(
            Effect.mapError(({ reason }) => unavailable(`node ${name} cannot be reached: ${reason}`)),
            Effect.flatMap((bytes) => decodeExit(parsed(bytes) as EncodedExit))
          )

  const heard: Heard = (bytes, answer) => {
    const { argument, asked } = parsed(bytes) as Question
    fork(Effect.map(Effect.exit(own(asked, argument)), (exit) => answer(json(encodeExit(exit)))))
  }

  /** The metrics of a node, with its name; none if it does not answer in time. */
  const countsOf = (name: string): Effect.Effect<ReadonlyArray<Family>> =>
    ask(name)("counts").pipe(
      Effect.map((families) => families as ReadonlyArray<Family>),
      Effect.orElseSucceed((): ReadonlyArray<Family> => []),
      Effect.map((families) => families.map(labelledBy("node", name)))
    )

  return { ask, heard, countsOf }
})
