/** A comparison reads each channel of its laps' groups once, whether it is traced, places the laps, or both. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { AnalysisService } from "../../src/archive/AnalysisService.ts"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import type { TracedLap } from "../../src/analysis/compare/channelTraces.ts"
import { emptyDictionary, POINTS } from "../../src/domain/Dictionary.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { RowStore, type RowRange } from "../../src/store/RowStore.ts"
import { catalogBy } from "../contracts/catalogService.ts"

const { dictionary } = emptyDictionary.withGroups([
  { name: "lap", channels: [{ name: "lap_distance" }, { name: "sector" }] },
  { name: "fuel", channels: [{ name: "fuel" }] }
])

/** By traced channels, for each lap: the channels read of groups, and those passed to the computation. */
const compared = (channels: ReadonlyArray<string>) => {
  const read: Array<string> = []
  let given: ReadonlyArray<TracedLap> = []
  const points = RowStore.of({
    last: () => Effect.succeedNone,
    read: ({ group, until }: RowRange, names: ReadonlyArray<string>) => {
      if (group === POINTS) return Stream.empty
      // The sample after the lap is read with another end.
      if (until < Infinity) read.push(names.slice(1).join(" "))
      return Stream.succeed(RowBatch.allocate(1, names))
    }
  } as never)
  const catalog = catalogBy({
    lap: (id: number) => Effect.succeed({ id, sessionId: id, startTime: 10, endTime: 20 }),
    session: (id: number) => Effect.succeed({ id, circuit: "Spa" }),
    circuitDetails: () => Effect.succeed(undefined),
    circuitLayouts: () => Effect.succeed({ version: 1, layouts: [] }),
    dictionary: () => Effect.succeed(dictionary)
  } as never)
  const workers = Layer.mock(AnalysisWorkers, {
    compareTraced: (laps) =>
      Effect.map(laps, (all) => {
        given = all
        return { answer: {} as never, layouts: undefined }
      })
  })
  return AnalysisService.pipe(
    Effect.flatMap((service) => service.compareTraced([1, 2], channels)),
    Effect.as({ read, given: () => given }),
    Effect.provide(Layer.provide(AnalysisService.layer, workers)),
    Effect.provideService(RowStore, points),
    Effect.provide(catalog)
  )
}

const namesOf = ({ around = [] }: TracedLap) => around.flatMap(({ batch }) => batch.channels.slice(1))

it.effect.each([
  { channels: ["fuel"], once: ["fuel", "lap_distance"] },
  { channels: ["lap_distance"], once: ["lap_distance"] },
  { channels: ["lap_distance", "sector", "fuel"], once: ["lap_distance sector", "fuel"] }
])("a comparison with $channels reads $once of each lap", ({ channels, once }) =>
  Effect.gen(function* () {
    const { given, read } = yield* compared(channels)
    expect(read).toHaveLength(2 * once.length)
    for (const one of once) expect(read.filter((names) => names === one)).toHaveLength(2)
    for (const lap of given()) expect(namesOf(lap)).toEqual(once.flatMap((one) => one.split(" ")))
  })
)
