/**
 * Export files of a lap and of a whole session, JSON and CSV, each compared with the same from ready objects and from
 * raw bytes (suite/readings.ts).
 *
 *   npm run bench -- exports        (RUNS by environment)
 */
import { scaled } from "./suite/comparison.ts"
import type { Point } from "./suite/drivenSession.ts"
import { compareReadings, csvPoints, type Reading, sessions } from "./suite/readings.ts"

interface HasPoints {
  readonly points: ReadonlyArray<Point>
}

for (const [kind, session] of Object.entries(sessions)) {
  const { lapPoints, points } = session
  const whole = { from: 0, to: points, requests: 1, accept: "*/*" }
  const readings: ReadonlyArray<Reading> = [
    {
      name: "a lap's JSON file",
      from: lapPoints,
      to: 2 * lapPoints,
      requests: scaled(200, 2),
      path: "/api/v1/export/json/2",
      accept: "*/*",
      pointsIn: (body) => (JSON.parse(body.toString()) as HasPoints).points
    },
    {
      name: "a session's JSON file",
      ...whole,
      path: "/api/v1/export/session/1?format=json",
      pointsIn: (body) =>
        (JSON.parse(body.toString()) as { readonly laps: ReadonlyArray<HasPoints> }).laps.flatMap(
          (lap) => lap.points
        )
    },
    {
      name: "a session's CSV file",
      ...whole,
      path: "/api/v1/export/session/1?format=csv",
      pointsIn: csvPoints
    }
  ]
  await compareReadings(kind, session, readings)
}
