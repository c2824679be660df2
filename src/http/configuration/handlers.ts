import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { Studies } from "../../archive/Studies.ts"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"
import * as Answers from "./answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "configuration",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    const studies = yield* Studies
    return handlers
      .handle("read", () => catalog.configuration)
      .handle("update", ({ payload }) => Answers.update(payload))
      .handle("circuits", () => catalog.circuits)
      .handle("circuit", ({ path }) => studies.circuitCorners(path.name))
      .handle("updateCircuit", ({ path, payload }) => Answers.updateCircuit(path.name, payload))
      .handle("vehicles", () => catalog.vehicles)
  })
)
