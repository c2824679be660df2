import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { LiveHub } from "../../live/LiveHub.ts"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "configuration",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    const hub = yield* LiveHub
    return handlers
      .handle("read", () => catalog.configuration)
      .handle("update", ({ payload }) =>
        catalog.putConfiguration(payload).pipe(
          Effect.tap(() => Effect.sync(() => hub.setRate(payload.telemetry_rate))),
          Effect.as(payload)
        )
      )
      .handle("circuits", () => catalog.circuits)
      .handle("vehicles", () => catalog.vehicles)
  })
)
