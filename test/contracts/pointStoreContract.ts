import { layer } from "@effect/vitest"
import type { Layer } from "effect"
import type { PointStore } from "../../src/store/PointStore.ts"
import { reading } from "./pointStoreReading.ts"
import { samples } from "./pointStoreSamples.ts"
import { samplesModel } from "./pointStoreSamplesModel.ts"
import { thinning } from "./pointStoreThinning.ts"
import { writing } from "./pointStoreWriting.ts"

/** What every PointStore does, whatever keeps the points. `makeLayer` gives an empty store. */
export const pointStoreContract = <E>(name: string, makeLayer: () => Layer.Layer<PointStore, E>) => {
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
