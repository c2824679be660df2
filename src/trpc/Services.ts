import type { LiveHub } from "../live/LiveHub.ts"
import type * as Operations from "../operations/Services.ts"

/** The services that procedures need: those of operations, and the live hub. */
export type TrpcServices = Operations.Services | LiveHub
