/**
 * Range reads: a lap and a whole session, as JSON and as CSV, each against the same from ready objects and from raw bytes
 * (suite/readings.ts).
 *
 *   npm run bench -- ranges        (RUNS by environment)
 */
import { scaled } from "./suite/comparison.ts"
import { compareReadings, csvPoints, type Reading, sessions } from "./suite/readings.ts"

const pointsIn = (body: string) => JSON.parse(body).points

for (const [kind, session] of Object.entries(sessions)) {
  const { lapPoints, points } = session
  const lap = { from: lapPoints, to: 2 * lapPoints, requests: scaled(200, 2) }
  const whole = { from: 0, to: points, requests: 1, path: "/api/v1/telemetry/range?session_id=1" }
  const readings: ReadonlyArray<Reading> = [
    { name: "a lap as JSON", ...lap, path: "/api/v1/2/telemetry", accept: "application/json", pointsIn },
    { name: "a lap as CSV", ...lap, path: "/api/v1/export/csv/2", accept: "text/csv", pointsIn: csvPoints },
    { name: "a session as JSON", ...whole, accept: "application/json", pointsIn },
    { name: "a session as CSV", ...whole, accept: "text/csv", pointsIn: csvPoints }
  ]
  await compareReadings(kind, session, readings)
}
