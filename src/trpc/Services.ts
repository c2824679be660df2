import type { LiveHub } from "../live/LiveHub.ts"
import type * as Operations from "../operations/Services.ts"

/** What procedures are done with: what operations are, and the live hub. */
export type TrpcServices = Operations.Services | LiveHub
