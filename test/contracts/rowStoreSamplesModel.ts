/** Any sequence of writes, seals and removals of groups, held to a plain model: arrays of samples by session and group. */
import { expect } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { lowerBound, RowBatch } from "../../src/domain/RowBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { widened } from "../../src/store/widened.ts"
import { groupSamples } from "./groupSamples.ts"
import {
  countSamples,
  expectGroup,
  expectLast,
  expectSamples,
  readSamples
} from "./rowStoreSamplesSupport.ts"
import type { ContractPart } from "./rowStoreSupport.ts"
import { part } from "./samples.ts"
import { runs } from "../support/runs.ts"

const SCRIPTS = runs(3)
const MAX_SAMPLES = 12_000

const groups: Readonly<Record<string, ReadonlyArray<string>>> = {
  tyres: ["tyre_temperature_fl", "tyre_temperature_rl", "tyre_temperature_rr", "tyre_grip_fl"],
  mixed: ["a", "b", "c"],
  weather: ["air_temperature"]
}
const names = Object.keys(groups)
const columnsOf = (group: string) => ["timestamp", ...groups[group]!]

const group = FastCheck.constantFrom(...names)
const session = FastCheck.nat({ max: 1 })
const length = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 40 }),
  FastCheck.constantFrom(1, 4095, 4096, 4097),
  FastCheck.integer({ min: 1, max: 5000 })
)
/** So many samples are written again before the new ones. */
const again = FastCheck.oneof(FastCheck.constant(0), FastCheck.nat({ max: 50 }))
/** The group's channels that a batch has, a bit each. */
const declared = FastCheck.oneof(FastCheck.constant(0xff), FastCheck.nat({ max: 0xff }))
const piece = FastCheck.record({ again, group, length, session, declared })
const step = FastCheck.oneof(
  { weight: 8, arbitrary: FastCheck.array(piece, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: FastCheck.record({ seal: session }) },
  { weight: 1, arbitrary: FastCheck.record({ remove: session }) }
)
const script = FastCheck.array(step, { minLength: 3, maxLength: 12 })

/** A session's groups: the rows written of each, with all of its columns. */
type Model = Array<Record<string, RowBatch>>

const nothing = (): Record<string, RowBatch> =>
  Object.fromEntries(names.map((name) => [name, RowBatch.allocate<string>(0, columnsOf(name))]))

/** The batch that a piece writes: some stored samples again, unchanged, and then new ones. */
const batchOf = (
  { again, group, length, session, declared }: typeof piece extends FastCheck.Arbitrary<infer A> ? A : never,
  model: Model
) => {
  const kept = model[session]![group]!
  const repeated = Math.min(again, kept.length)
  const fresh = Math.min(length, MAX_SAMPLES - kept.length)
  const columns = columnsOf(group)
  const layout = columns.filter((_, c) => c === 0 || ((declared >> (c - 1)) & 1) === 1)
  const newer = groupSamples(1.7e9, fresh, { columns: layout, first: kept.length })
  model[session]![group] = RowBatch.concat([kept, widened(newer, columns)])
  if (repeated === 0) return newer
  // A retry has all of the stored values.
  return part(model[session]![group], kept.length - repeated, kept.length + fresh)
}

/** Compares each group at a few times and ranges that follow from its length. */
const expectModel = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, model: Model) {
  const store = yield* RowStore
  for (const [n, sessionId] of ids.entries()) {
    const kept = model[n]!
    const filled = names.filter((name) => kept[name]!.length > 0)
    expect(yield* store.groups(sessionId)).toEqual([...filled].sort())
    expect((yield* store.sessionIds).includes(sessionId)).toBe(filled.length > 0)
    for (const name of names) {
      const all = kept[name]!
      yield* expectGroup(sessionId, name, all)
      if (all.length === 0) continue
      const times = all.timestamps
      for (const [from, until] of [
        [times[0]! + 0.05, times.at(-1)!],
        [times[all.length >> 1]!, justAfter(times.at(-1)!)],
        [times[all.length >> 2]!, times[all.length >> 1]! + 0.01]
      ] as const) {
        const [start, end] = [lowerBound(times, from), lowerBound(times, until)]
        const cut = part(all, start, Math.max(start, end))
        expectSamples(yield* readSamples(sessionId, name, all.channels, { from, until }), cut)
        expect(yield* countSamples(sessionId, name, from, until)).toBe(cut.length)
        yield* expectLast(sessionId, name, from, all, lowerBound(times, justAfter(from)))
      }
    }
  }
})

export const samplesModel: ContractPart = (it, nextSession) => {
  it.effect("behaves as a plain model of its groups, after any writes, seals and removals", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      for (const steps of FastCheck.sample(script, SCRIPTS)) {
        const ids = [nextSession(), nextSession()]
        const model: Model = [nothing(), nothing()]
        for (const one of steps) {
          if ("seal" in one) yield* store.seal(ids[one.seal]!)
          else if ("remove" in one) {
            yield* store.remove(ids[one.remove]!)
            model[one.remove] = nothing()
          } else {
            yield* store.write(
              one.map((some) => ({
                sessionId: ids[some.session]!,
                group: some.group,
                batch: batchOf(some, model)
              }))
            )
          }
        }
        yield* expectModel(ids, model)
      }
    })
  )
}
