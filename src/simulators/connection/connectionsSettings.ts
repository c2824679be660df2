/** The settings of all connections. */
import type { AllowsHost } from "../../platform/addresses/hostList.ts"

/** The limits of connects: their number and their targets. */
export interface ConnectLimits {
  /** The connects that may be requested within a minute. */
  readonly perMinute: number
  readonly allows: AllowsHost
}

export interface ConnectionsSettings extends ConnectLimits {
  /** Which kept connections the layer opens when it begins. */
  readonly restores: "all" | "of this run"
}

export const UNLIMITED: ConnectionsSettings = { perMinute: Infinity, allows: () => true, restores: "all" }
