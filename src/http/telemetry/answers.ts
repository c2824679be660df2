/** Points with what they are of, as JSON text, whichever interface asks. */
import type { LapPoints, RangePoints } from "../../archive/Archive.ts"
import { decimal } from "../../export/decimals.ts"
import * as PointsJson from "../../export/pointsJson.ts"

const instant = (time: number | null) => (time === null ? "null" : decimal(time))

export const rangeJson = ({ end, points, sessionId, start, total }: RangePoints) =>
  PointsJson.document(
    `{"session_id":${sessionId},"start_time":${instant(start)},"end_time":${instant(end)},"points":`,
    points,
    `,"total_points":${total}}`
  )

export const lapJson = ({ lap, points, total }: LapPoints) =>
  PointsJson.document(`{"lap_id":${lap.id},"points":`, points, `,"total_points":${total}}`)
