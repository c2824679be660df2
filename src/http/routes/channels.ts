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
      "Lists the channels that the simulator sent: those of a telemetry point first, then those of the channel groups, with the rows that each group has. Every route that returns points takes these names in `channels` and `group`."
  }),
  ofLap: get("/:lap_id(^\\d+$)/channel-stats", Channels.ofLap, {
    summary: "Summarize a lap's channels",
    description:
      "For each channel: its minimum and maximum in the lap, its mean over time, its value at the lap's start and end, and the change between them. The fuel that a lap used is the `change` of `fuel`."
  })
})
