/** The settings of all connections. */
import type { KeptConnection } from "../../domain/Connection.ts"
import { run } from "../../platform/processes.ts"
import { USUAL_PORTS } from "./GamePorts.ts"
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
  readonly games: GamesSettings
  /** Whether other nodes of a cluster reach the same simulators, of which each must be recorded once. */
  readonly isShared: boolean
}

export interface GamesSettings {
  /** Whether the service listens for games whatever the configuration says. */
  readonly always: boolean
  /** The ports on which it listens for any game. */
  readonly ports: ReadonlyArray<number>
}

export const UNLIMITED: ConnectionsSettings = {
  perMinute: Infinity,
  allows: () => true,
  restores: "all",
  games: { always: false, ports: USUAL_PORTS },
  isShared: false
}

/** The kept connections that the layer opens. */
export const wantedOf = (
  all: ReadonlyArray<KeptConnection>,
  restores: ConnectionsSettings["restores"]
): ReadonlyArray<KeptConnection> =>
  all.filter(({ enabled, run: ofRun }) => enabled && (restores === "all" || ofRun === run))
