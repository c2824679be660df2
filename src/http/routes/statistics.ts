import * as Statistics from "../../operations/statistics.ts"
import { get, routes } from "../route.ts"

export const statistics = routes("statistics", {
  bestLaps: get("/stats/best-laps", Statistics.bestLaps, {
    summary: "Rank the best laps",
    description: "Lists valid laps, the fastest first.",
    query: ["circuit", "vehicle", "limit"]
  }),
  driver: get("/stats/driver/:name", Statistics.driver, {
    summary: "Sum up a driver's sessions",
    description:
      "The best and the average lap time are those of valid laps; the number of laps and the distance include all laps and all points. If the driver has no session on the given circuit or in the given vehicle, all totals are 0."
  }),
  circuit: get("/stats/circuit/:circuit_name", Statistics.circuit, {
    path: { circuit_name: "name" },
    summary: "Sum up the sessions on a circuit",
    description: "The best, the average and the theoretical best are those of valid laps."
  })
})
