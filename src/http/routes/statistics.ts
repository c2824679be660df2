import * as Statistics from "../../operations/statistics.ts"
import { get, routes } from "../route.ts"

export const statistics = routes("statistics", {
  bestLaps: get("/stats/best-laps", Statistics.bestLaps, {
    summary: "Rank the best laps",
    description: "Valid laps, fastest first.",
    query: ["circuit", "vehicle", "limit"]
  }),
  driver: get("/stats/driver/:name", Statistics.driver, {
    summary: "Sum up a driver's sessions",
    description:
      "Valid laps make best and average; all laps and all points count. Of a driver without a session on the circuit, in the vehicle, that are asked for, nothing is counted."
  }),
  circuit: get("/stats/circuit/:circuit_name", Statistics.circuit, {
    path: { circuit_name: "name" },
    summary: "Sum up the sessions on a circuit",
    description: "Valid laps make best, average and theoretical best."
  })
})
