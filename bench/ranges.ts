/**
 * Range reads: a lap and a whole session, as JSON, CSV and Arrow, compared with JSON or CSV of ready objects and with
 * raw bytes (suite/readings.ts).
 *
 *   npm run bench -- ranges        (RUNS by environment)
 */
import { tableFromIPC } from "apache-arrow"
import type { Point } from "./suite/drivenSession.ts"
import { scaled } from "./suite/comparison.ts"
import { compareReadings, csvPoints, type Reading, sessions } from "./suite/readings.ts"

const pointsIn = (body: Buffer) => JSON.parse(body.toString()).points

const arrow = {
  accept: "application/vnd.apache.arrow.stream",
  objectsAs: "application/json",
  goal: 10,
  pointsIn: (body: Buffer) =>
    tableFromIPC(body)
      .toArray()
      .map((row) => row.toJSON() as Point)
}

for (const [kind, session] of Object.entries(sessions)) {
  const { lapPoints, points } = session
  const lap = { from: lapPoints, to: 2 * lapPoints, requests: scaled(200, 2) }
  const whole = { from: 0, to: points, requests: 1, path: "/api/v1/telemetry/range?session_id=1" }
  const readings: ReadonlyArray<Reading> = [
    { name: "a lap as JSON", ...lap, path: "/api/v1/2/telemetry", accept: "application/json", pointsIn },
    { name: "a lap as CSV", ...lap, path: "/api/v1/export/csv/2", accept: "text/csv", pointsIn: csvPoints },
    {
      name: "a lap as Arrow",
      ...lap,
      path: "/api/v1/export/arrow/2",
      objectsPath: "/api/v1/2/telemetry",
      ...arrow
    },
    { name: "a session as JSON", ...whole, accept: "application/json", pointsIn },
    { name: "a session as CSV", ...whole, accept: "text/csv", pointsIn: csvPoints },
    { name: "a session as Arrow", ...whole, ...arrow }
  ]
  await compareReadings(kind, session, readings)
}
