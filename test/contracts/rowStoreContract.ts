import { layer } from "@effect/vitest"
import type { Layer } from "effect"
import type { RowStore } from "../../src/store/RowStore.ts"
import { rows } from "./rowStoreRows.ts"
import { samples } from "./rowStoreSamples.ts"
import { samplesModel } from "./rowStoreSamplesModel.ts"
import { values } from "./rowStoreValues.ts"

/** The behaviour of every RowStore. `makeLayer` gives an empty store. */
export const rowStoreContract = <E>(name: string, makeLayer: () => Layer.Layer<RowStore, E>) => {
  let sessions = 0
  const nextSession = () => (sessions += 1)

  layer(makeLayer(), { excludeTestServices: true })(name, (it) => {
    rows(it, nextSession)
    values(it, nextSession)
    samples(it, nextSession)
    samplesModel(it, nextSession)
  })
}
