/** The whole REST interface: its groups, what any of them can fail with, and its OpenAPI description. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { version } from "../version.ts"
import { Analysis } from "./analysis/api.ts"
import { Configuration } from "./configuration/api.ts"
import { Export } from "./export/api.ts"
import { Laps } from "./laps/api.ts"
import { publish } from "./openApi.ts"
import * as Problems from "./problems.ts"
import { Sessions } from "./sessions/api.ts"
import { Statistics } from "./statistics/api.ts"
import { System } from "./system/api.ts"
import { Telemetry } from "./telemetry/api.ts"

export const Api = HttpApi.make("telemetry-session-service")
  .add(System)
  .add(Sessions)
  .add(Laps)
  .add(Telemetry)
  .add(Export)
  .add(Analysis)
  .add(Statistics)
  .add(Configuration)
  .addError(Problems.StoreUnavailable)
  .addError(Problems.PointsDamaged)
  .prefix("/api/v1")
  .annotateContext(
    OpenApi.annotations({
      title: "Telemetry Session Service",
      version,
      description:
        "Sessions, laps and telemetry of racing simulators. Times are seconds since the Unix epoch, UTC; speeds km/h; positions metres. Every error is {detail}. Answers come in gzip or br where Accept-Encoding asks for it.",
      transform: publish
    })
  )
