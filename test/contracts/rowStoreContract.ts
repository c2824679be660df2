import { layer } from "@effect/vitest"
import type { Layer } from "effect"
import type { RowStore } from "../../src/store/RowStore.ts"
import { reading } from "./rowStoreReading.ts"
import { samples } from "./rowStoreSamples.ts"
import { samplesModel } from "./rowStoreSamplesModel.ts"
import { thinning } from "./rowStoreThinning.ts"
import { writing } from "./rowStoreWriting.ts"

/** What every RowStore does, whatever keeps the points. `makeLayer` gives an empty store. */
export const rowStoreContract = <E>(name: string, makeLayer: () => Layer.Layer<RowStore, E>) => {
  let sessions = 0
  const nextSession = () => (sessions += 1)

  layer(makeLayer(), { excludeTestServices: true })(name, (it) => {
    writing(it, nextSession)
    reading(it, nextSession)
    thinning(it, nextSession)
    samples(it, nextSession)
    samplesModel(it, nextSession)
  })
}
