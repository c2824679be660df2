/** What a change of the configuration answers, whichever interface asks for it. */
import { Effect } from "effect"
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
