/**
 * Adds channels of other groups to points. Each point gets a group's values as of its time: those of the group's last
 * row not after it, however old. Before the first row a channel is absent. Nothing is interpolated.
 *
 * Each group is read along with the points, by time, at most a page ahead, so that memory does not grow with the range.
 * It is read from the last row on that is not after the first point.
 */
import { Chunk, Effect, Option, Scope, Stream } from "effect"
import type { SessionUnreadable } from "../domain/errors.ts"
import { ABSENT, type PointBatch, RowBatch } from "../domain/RowBatch.ts"
import type { SessionRange, RowStore } from "../store/RowStore.ts"
import { breathe } from "../platform/threads/breathe.ts"
import type { GroupColumns } from "./chosenRows.ts"
import { samplesFrom } from "./samplesFrom.ts"

type Store = typeof RowStore.Service

/** Values of one batch that has other groups' channels: half a megabyte. A page of points with 511 channels has sixteen. */
const BATCH_VALUES = 65_536

/** Columns to add to points, one after another. */
export interface ColumnsBeside {
  readonly columns: number
  /** Writes the values at `times` into `target`, column after column. Times increase, also from call to call. */
  readonly fill: (times: Float64Array, target: Float64Array) => Effect.Effect<void, SessionUnreadable>
}

const noPage: RowBatch = RowBatch.allocate(0, ["timestamp"])

/** The reading position within one group. The group's rows have its columns, "timestamp" first. */
class GroupCursor implements ColumnsBeside {
  readonly columns: number
  /** The next page; none at the end. */
  readonly #pull: Effect.Effect<Option.Option<RowBatch>, SessionUnreadable>
  #page: RowBatch
  /** The current row of the page; -1 before its first row, where `#before` holds. */
  #row = -1
  /** The values of the last row of the page before; absent before the first page. */
  #before: Float64Array
  #isEnded = false

  constructor(columns: number, pull: Effect.Effect<Option.Option<RowBatch>, SessionUnreadable>) {
    this.columns = columns
    this.#pull = pull
    this.#page = noPage
    this.#before = new Float64Array(columns).fill(ABSENT)
  }

  /** Writes the group's values as of each of the times, which increase, into `target`, column after column. */
  fill(times: Float64Array, target: Float64Array): Effect.Effect<void, SessionUnreadable> {
    return Effect.gen(this, function* () {
      for (let at = 0; at < times.length;) {
        at = this.#fillFrom(times, at, target)
        if (at < times.length) yield* this.#turn()
      }
    })
  }

  /** Fills as far as the current page determines the values; returns the index of the first time that it does not. */
  #fillFrom(times: Float64Array, from: number, target: Float64Array): number {
    const samples = this.#page.timestamps
    let at = from
    for (; at < times.length; at++) {
      while (this.#row + 1 < samples.length && samples[this.#row + 1]! <= times[at]!) this.#row++
      // Behind the page's last row, the next page may have a later one that still applies.
      if (this.#row + 1 === samples.length && !this.#isEnded) return at
      for (let c = 0; c < this.columns; c++) {
        target[c * times.length + at] =
          this.#row < 0 ? this.#before[c]! : this.#page.data[(c + 1) * samples.length + this.#row]!
      }
    }
    return at
  }

  #turn(): Effect.Effect<void, SessionUnreadable> {
    return Effect.map(Effect.zipRight(breathe, this.#pull), (page) => {
      const { data, length } = this.#page
      if (length > 0) {
        this.#before = Float64Array.from({ length: this.columns }, (_, c) => data[(c + 2) * length - 1]!)
      }
      this.#row = -1
      if (Option.isSome(page)) this.#page = page.value
      else {
        this.#page = noPage
        this.#isEnded = true
      }
    })
  }
}

/** A batch in slices of at most so many rows. */
const slicesOf = (rows: number) => (batch: PointBatch) =>
  batch.length <= rows
    ? Stream.make(batch)
    : Stream.unfold(0, (from) =>
        from < batch.length
          ? Option.some([batch.slice(from, Math.min(from + rows, batch.length)), from + rows] as const)
          : Option.none()
      )

/** Pages of a stream one by one; none at its end. */
const pages = <E>(stream: Stream.Stream<RowBatch, E>) =>
  Effect.map(Stream.toPull(Stream.rechunk(stream, 1)), (pull) =>
    pull.pipe(
      Effect.map(Chunk.head),
      Effect.catchAll(
        Option.match({
          onNone: () => Effect.succeed(Option.none<RowBatch>()),
          onSome: (error: E) => Effect.fail(error)
        })
      )
    )
  )

/** `first`: the time of the first point. */
const cursorOf = (
  store: Store,
  { sessionId, until }: SessionRange,
  { group, names }: GroupColumns,
  first: number
): Effect.Effect<GroupCursor, never, Scope.Scope> =>
  Effect.map(
    pages(samplesFrom(store, { sessionId, group, from: first, until }, names)),
    (pull) => new GroupCursor(names.length, pull)
  )

/** The points of the range with these channels, in the order of `beside`, followed by `more`. */
export const withChannels = <E>(
  store: Store,
  range: SessionRange,
  beside: ReadonlyArray<GroupColumns>,
  columns: ReadonlyArray<string>,
  points: Stream.Stream<PointBatch, E>,
  more: ReadonlyArray<ColumnsBeside> = []
): Stream.Stream<RowBatch, E | SessionUnreadable> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      let cursors: ReadonlyArray<ColumnsBeside> | undefined
      const rows = Math.max(1, Math.floor(BATCH_VALUES / columns.length))
      return Stream.mapEffect(Stream.flatMap(points, slicesOf(rows)), (batch) =>
        Effect.gen(function* () {
          const times = batch.timestamps
          if (times.length === 0) return RowBatch.allocate(0, columns)
          cursors ??= yield* Effect.forEach(beside, (group) => cursorOf(store, range, group, times[0]!)).pipe(
            Scope.extend(scope)
          )
          const whole: RowBatch = RowBatch.allocate(batch.length, columns)
          whole.data.set(batch.data)
          let at = batch.data.length
          for (const cursor of [...cursors, ...more]) {
            const size = cursor.columns * batch.length
            yield* cursor.fill(times, whole.data.subarray(at, at + size))
            at += size
          }
          return whole
        })
      )
    })
  )
