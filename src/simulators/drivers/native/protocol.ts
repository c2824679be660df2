/** The names and numbers of the native feed that both of its sides use (spec: native-feed.md). */
import { type Channel, channels } from "../../../domain/PointBatch.ts"

export const SUBPROTOCOL = "telemetry-feed.v1"
export const DEFAULT_PORT = 9100

/** What a feed calls the values of a point: the channels of the interface, in its order and units. */
export { type Channel, channels }
/** The columns that a point may have besides: the number of its lap from 1, and m since the line. */
export const lapColumns = ["lap_number", "lap_distance"] as const

/** The first bytes of a packed message: ASCII. */
export const PACKED_MAGIC = "TSB1"
/** What precedes the columns of a packed message: the magic, the number of points (u32), the sequence (u64). */
export const PACKED_HEADER_BYTES = 16
export const MAX_PACKED_POINTS = 65_536
