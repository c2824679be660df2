import type { LiveHub } from "../../live/hub/LiveHub.ts"
import type * as Operations from "../../operations/Services.ts"

/** The services that procedures need: those of operations, and the live hub. */
export type TrpcServices = Operations.Services | LiveHub
