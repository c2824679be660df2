import type { LiveHub } from "../../live/hub/LiveHub.ts"
import type * as Operations from "../../operations/Services.ts"
import type { Changes } from "../../store/Changes.ts"

/** The services that procedures need: those of operations, and those of live events. */
export type TrpcServices = Operations.Services | Changes | LiveHub
