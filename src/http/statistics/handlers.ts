import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { Studies } from "../../archive/Studies.ts"
import { Api } from "../Api.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "statistics",
  Effect.fnUntraced(function* (handlers) {
    const studies = yield* Studies
    return handlers
      .handle("bestLaps", ({ urlParams: { limit, ...names } }) => studies.bestLaps(names, limit))
      .handle("driver", ({ path, urlParams }) => studies.driver(path.name, urlParams))
      .handle("circuit", ({ path }) => studies.circuit(path.circuit_name))
  })
)
