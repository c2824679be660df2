import type { LiveHub } from "../live/LiveHub.ts"
import type * as Operations from "../operations/Services.ts"
import type { ConnectionStates } from "./ConnectionStates.ts"

/** What procedures are done with: what operations are, and what tells what happens. */
export type Services = Operations.Services | ConnectionStates | LiveHub
