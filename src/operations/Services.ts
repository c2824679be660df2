import type { Archive } from "../archive/Archive.ts"
import type { AnalysisService } from "../archive/AnalysisService.ts"
import type { Announcer } from "../live/Announcer.ts"
import type { OnAirNow } from "../live/OnAirNow.ts"
import type { ImportCommands } from "../imports/ImportCommands.ts"
import type { UploadFolder } from "../imports/uploads/UploadFolder.ts"
import type { LiveRate } from "../live/hub/LiveRate.ts"
import type { StoreProgress } from "../recording/intake/StoreProgress.ts"
import type { Simulators } from "../simulators/connection/Simulators.ts"
import type { Circuits } from "../store/Circuits.ts"
import type { Configurations } from "../store/Configurations.ts"
import type { Dictionaries } from "../store/Dictionaries.ts"
import type { FileImports } from "../store/FileImports.ts"
import type { Laps } from "../store/Laps.ts"
import type { Marks } from "../store/Marks.ts"
import type { Nodes } from "../store/Nodes.ts"
import type { RowStore } from "../store/RowStore.ts"
import type { Sessions } from "../store/Sessions.ts"
import type { Statistics } from "../store/Statistics.ts"
import type { Takeovers } from "../store/Takeovers.ts"

/** The services that operations need. */
export type Services =
  | Announcer
  | Archive
  | AnalysisService
  | Circuits
  | Configurations
  | Dictionaries
  | FileImports
  | ImportCommands
  | Laps
  | LiveRate
  | Marks
  | Nodes
  | OnAirNow
  | RowStore
  | Sessions
  | Simulators
  | Statistics
  | StoreProgress
  | Takeovers
  | UploadFolder
