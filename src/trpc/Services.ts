import type { Archive } from "../archive/Archive.ts"
import type { Studies } from "../archive/Studies.ts"
import type { LiveHub } from "../live/LiveHub.ts"
import type { LiveRate } from "../live/LiveRate.ts"
import type { StoreProgress } from "../recording/StoreProgress.ts"
import type { Simulators } from "../simulators/Simulators.ts"
import type { Catalog } from "../store/Catalog.ts"
import type { PointStore } from "../store/PointStore.ts"
import type { ConnectionStates } from "./ConnectionStates.ts"

/** What procedures ask: what REST asks, and how connections change. */
export type Services =
  | Archive
  | Catalog
  | ConnectionStates
  | LiveHub
  | LiveRate
  | PointStore
  | Simulators
  | StoreProgress
  | Studies
