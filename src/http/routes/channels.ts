/**
 * Describes the channels there are. The channels of a session and of a lap have paths beside fixed names such as
 * /connect.
 */
import * as Channels from "../../operations/channels.ts"
import { get, routes } from "../route.ts"

export const channels = routes("channels", {
  ofSession: get("/:session_id(^\\d+$)/channels", Channels.ofSession, {
    summary: "List the channels of a session",
    description:
      "What its simulator told: those of a telemetry point first, then the channels of its groups, with what there is of each group. They can be asked for with channels= and group= wherever points are answered."
  }),
  ofLap: get("/:lap_id(^\\d+$)/channel-stats", Channels.ofLap, {
    summary: "Summarize a lap's channels",
    description:
      "Of each channel its least and greatest value in the lap, its mean by time, its value as of the lap's start and end, and the change between them: the fuel that a lap used is the change of fuel."
  })
})
