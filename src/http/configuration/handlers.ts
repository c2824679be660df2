import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"
import * as Answers from "./answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "configuration",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    return handlers
      .handle("read", () => catalog.configuration)
      .handle("update", ({ payload }) => Answers.update(payload))
      .handle("circuits", () => catalog.circuits)
      .handle("vehicles", () => catalog.vehicles)
  })
)
