import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { LiveRate } from "../../live/LiveRate.ts"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "configuration",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    const rate = yield* LiveRate
    return handlers
      .handle("read", () => catalog.configuration)
      .handle("update", ({ payload }) =>
        catalog.putConfiguration(payload).pipe(
          Effect.zipLeft(rate.set(payload.telemetry_rate)),
          // A client that goes in between must not leave the two apart.
          Effect.uninterruptible,
          Effect.as(payload)
        )
      )
      .handle("circuits", () => catalog.circuits)
      .handle("vehicles", () => catalog.vehicles)
  })
)
