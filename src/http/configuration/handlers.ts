import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { LiveRate } from "../../live/LiveRate.ts"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"
import * as Answers from "./answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "configuration",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    const context = yield* Effect.context<Catalog | LiveRate>()
    return handlers
      .handle("read", () => catalog.configuration)
      .handle("update", ({ payload }) => Effect.provide(Answers.update(payload), context))
      .handle("circuits", () => catalog.circuits)
      .handle("vehicles", () => catalog.vehicles)
  })
)
