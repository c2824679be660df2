/**
 * Bounds the memory of pages that all answers together hold, of the groups beside their points. An answer with all
 * channels of 32 groups holds 18 MiB, also while its client takes nothing. An answer beyond the bound waits in order
 * before it reads, and is refused after WAIT_S.
 */
import { Effect, type Scope, Stream } from "effect"
import { TooManyAnswers } from "../domain/errors.ts"
import { Turns } from "../platform/Turns.ts"
import type { ChosenRows, GroupColumns } from "./chosenRows.ts"

const KIB = 1024
/** As much as half of all large answers may hold of their own (api/OpenAnswers). */
const MAX_KIB = 64 * 1024

/** Twice as long as a client may take nothing: some answers before it have ended by then. */
export const WAIT_S = 60

/** The maximum of a group that a store gives in one page: bytes of values, and rows. */
const PAGE_BYTES = 1024 * KIB
const PAGE_ROWS = 4096
const DOUBLE_BYTES = 8

export class PagesAhead {
  readonly #turns = new Turns(MAX_KIB)

  /**
   * Rows, or a text of them. They begin when all channels that they are read with have room, and hold it to their end.
   */
  readonly inRoom =
    ({ beside }: ChosenRows) =>
    <Row, E>(rows: Stream.Stream<Row, E>): Stream.Stream<Row, E | TooManyAnswers> =>
      Stream.unwrapScoped(Effect.as(this.#room(beside), rows))

  /** Waits until these channels may be read. The scope holds their room. */
  #room(beside: ReadonlyArray<GroupColumns>): Effect.Effect<void, TooManyAnswers, Scope.Scope> {
    const bytes = beside.reduce(
      (sum, { names }) => sum + Math.min(PAGE_BYTES, PAGE_ROWS * DOUBLE_BYTES * (1 + names.length)),
      0
    )
    if (bytes === 0) return Effect.void
    const weight = Math.ceil(bytes / KIB)
    return Effect.timeoutFail(this.#turns.weighing(weight), {
      duration: `${WAIT_S} seconds`,
      onTimeout: () => new TooManyAnswers({ limit: Math.max(1, Math.floor(MAX_KIB / weight)) })
    })
  }
}
