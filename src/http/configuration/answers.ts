/** What a change of the configuration answers, whichever interface asks for it. */
import { Effect } from "effect"
import { Studies } from "../../archive/Studies.ts"
import type { CircuitDetails } from "../../domain/Circuit.ts"
import type { Configuration } from "../../domain/Configuration.ts"
import { LiveRate } from "../../live/LiveRate.ts"
import { Catalog } from "../../store/Catalog.ts"

export const update = Effect.fnUntraced(
  function* (wanted: Configuration) {
    yield* (yield* Catalog).putConfiguration(wanted)
    yield* (yield* LiveRate).set(wanted.telemetry_rate)
    return wanted
  },
  // A client that goes in between must not leave the two apart.
  Effect.uninterruptible
)

/** The circuit as it is told from now on. */
export const updateCircuit = Effect.fnUntraced(function* (name: string, wanted: CircuitDetails) {
  const studies = yield* Studies
  const known = yield* studies.circuitName(name)
  yield* (yield* Catalog).putCircuitDetails(known, wanted)
  return yield* studies.circuitCorners(known)
})
