/** A layer whose module is loaded only if it is needed: the modules of servers take a third of the time of a start. */
import { Effect, Layer } from "effect"

export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  layer: (module: M) => Layer.Layer<A, E, R>
): Layer.Layer<A, E, R> => Layer.unwrapEffect(Effect.map(Effect.promise(load), layer))
