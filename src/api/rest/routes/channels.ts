/**
 * Describes the existing channels. The channels of a session and of a lap have paths beside fixed names such as
 * /connect.
 */
import * as Channels from "../../../operations/channels.ts"
import { get, routes } from "../route.ts"

export const channels = routes("channels", {
  ofSession: get("/:session_id(^\\d+$)/channels", Channels.ofSession, {
    summary: "List the channels of a session",
    description:
      "Returns the channels that the session's simulator sent: those of a telemetry point first, then those of its groups, with the number, rate and times of each group's samples. Every route that returns points takes them with channels= and group=."
  }),
  ofLap: get("/:lap_id(^\\d+$)/channel-stats", Channels.ofLap, {
    summary: "Summarize a lap's channels",
    description:
      "Returns for each channel its minimum, maximum and mean over time in the lap, its values at the start and the end of the lap, and the change between them. The fuel that a lap used is the change of fuel."
  }),
  report: get("/:session_id(^\\d+$)/channel-report", Channels.report, {
    summary: "Report a session's channels by lap and sector",
    description:
      "Returns the minimum, maximum and mean over time of the named channels: in the whole session, in each lap, and in each sector of a lap whose first two sectors were timed."
  }),
  histogram: get("/:session_id(^\\d+$)/channels/:channel/histogram", Channels.histogram, {
    summary: "Count the time that a channel spends at its values",
    description:
      "Returns the seconds that a channel spends in each bin of its values, in each of some laps or in the whole session. A value holds until the next sample, at most 2 s or five usual intervals of its group: a hole in the data adds to no bin."
  })
})
