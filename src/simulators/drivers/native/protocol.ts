/** The names and numbers of the native feed that both of its sides use (spec: native-feed.md). */
import { POINTS } from "../../../domain/Dictionary.ts"
import { type Channel, channels } from "../../../domain/pointChannels.ts"

export const SUBPROTOCOL = "telemetry-feed.v1"
export const DEFAULT_PORT = 9100

/** The feed's names of a point's values: the channels of the interface, in its order and units. */
export { type Channel, channels }
/** The group of the points. */
export { POINTS }
/** Further columns that a point may have: the number of its lap from 1, and m since the line. */
export const lapColumns = ["lap_number", "lap_distance"] as const

/** The first bytes of a packed message of points: ASCII. */
export const PACKED_MAGIC = "TSB1"
/** The bytes before the columns of a packed message: the magic, the number of points (u32), the sequence (u64). */
export const PACKED_HEADER_BYTES = 16
export const MAX_PACKED_POINTS = 65_536

/** The same for a packed message that names its group; it also has the group's index (u32) and a zero (u32). */
export const PACKED_GROUP_MAGIC = "TSB2"
export const PACKED_GROUP_HEADER_BYTES = 24
/** The maximum size of any message: 65,536 points with 14 columns are 7 MB packed, and about 12 MB as text. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
