/**
 * These paths are beside fixed names such as /connect: text that is not a number is another path, not an unknown lap.
 */
import * as Laps from "../../../operations/laps.ts"
import { get, routes } from "../route.ts"

export const laps = routes("laps", {
  ofSession: get("/:session_id(^\\d+$)/laps", Laps.ofSession, {
    summary: "List the laps of a session",
    description: "Returns the session's laps by lap number."
  }),
  read: get("/:lap_id(^\\d+$)", Laps.read, { summary: "Read a lap", description: "Returns one lap." }),
  telemetry: get("/:lap_id(^\\d+$)/telemetry", Laps.telemetry, {
    summary: "Read a lap's points",
    description:
      "Returns the lap's points by time. sample_rate=N keeps every Nth point, and always the first and the last."
  })
})
