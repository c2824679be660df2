import * as Statistics from "../../../operations/statistics.ts"
import { get, routes } from "../route.ts"

export const statistics = routes("statistics", {
  bestLaps: get("/stats/best-laps", Statistics.bestLaps, {
    summary: "Rank the best laps",
    description: "Returns valid laps, the fastest first.",
    // A driver has a path of its own.
    fixed: { driver: undefined }
  }),
  driver: get("/stats/driver/:name", Statistics.driver, {
    summary: "Sum up a driver's sessions",
    description:
      "Best and average are those of the valid laps; the counts are of all laps and all points. The counts are 0 if the driver has no session on the circuit or in the vehicle that the request names."
  }),
  circuit: get("/stats/circuit/:circuit_name", Statistics.circuit, {
    path: { circuit_name: "name" },
    summary: "Sum up the sessions on a circuit",
    description: "Best, average and theoretical best are those of the valid laps."
  })
})
