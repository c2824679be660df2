/** The way from the intake to a store in memory, with the writer at work. */
import { Effect, Layer } from "effect"
import { Intake } from "../../src/recording/intake/Intake.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import * as StoreWriter from "../../src/recording/intake/StoreWriter.ts"
import type { MemoryStore } from "./memoryStore.ts"

/** `ended` gets the sessions that were announced to be over. */
export const withWriter = (store: Pick<MemoryStore, "layer">, capacity?: number, ended: Array<number> = []) =>
  StoreWriter.layer.pipe(
    Layer.provide(Layer.succeed(SessionEndings, { ended: (id) => Effect.sync(() => void ended.push(id)) })),
    Layer.provideMerge(Intake.layer(capacity)),
    Layer.provideMerge(store.layer)
  )
