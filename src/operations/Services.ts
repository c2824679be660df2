import type { Archive } from "../archive/Archive.ts"
import type { AnalysisService } from "../archive/AnalysisService.ts"
import type { LiveRate } from "../live/hub/LiveRate.ts"
import type { StoreProgress } from "../recording/intake/StoreProgress.ts"
import type { Simulators } from "../simulators/connection/Simulators.ts"
import type { Catalog } from "../store/Catalog.ts"
import type { RowStore } from "../store/RowStore.ts"

/** The services that operations need. */
export type Services = Archive | Catalog | LiveRate | RowStore | Simulators | StoreProgress | AnalysisService
