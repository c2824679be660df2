/** All routes of REST, by capability, in the order in which they are described. */
import type { Routes } from "../route.ts"
import { analysis } from "./analysis.ts"
import { channels } from "./channels.ts"
import { configuration } from "./configuration.ts"
import { exports } from "./export.ts"
import { imports } from "./imports.ts"
import { laps } from "./laps.ts"
import { marks } from "./marks.ts"
import { sessions } from "./sessions.ts"
import { statistics } from "./statistics.ts"
import { system } from "./system.ts"
import { telemetry } from "./telemetry.ts"

export const allRoutes: readonly [Routes, ...ReadonlyArray<Routes>] = [
  system,
  sessions,
  laps,
  marks,
  channels,
  telemetry,
  exports,
  imports,
  analysis,
  statistics,
  configuration
]
