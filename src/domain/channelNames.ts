/** Names that groups and channels may have. */
import { channels as pointChannels } from "./pointChannels.ts"

/** The group of the interface's ten channels, which every session has. */
export const POINTS = "points"

/** Names of other tables on the same server, which no group may take. */
export const takenGroups: ReadonlySet<string> = new Set([
  POINTS,
  "point_removals",
  "point_owner",
  "point_groups",
  "sessions",
  "laps"
])
export const takenChannels: ReadonlySet<string> = new Set([
  ...pointChannels,
  "time",
  "ts",
  "session",
  "session_id",
  "lap_id",
  "lap_number",
  "group"
])

export const isName = (name: string) => /^[a-z][a-z0-9_]{0,62}$/.test(name)
