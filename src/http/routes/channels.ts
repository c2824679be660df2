/** Which channels there are; a session's and a lap's stand beside fixed names such as /connect. */
import * as Channels from "../../operations/channels.ts"
import { get, routes } from "../route.ts"

export const channels = routes("channels", {
  ofSession: get("/:session_id(^\\d+$)/channels", Channels.ofSession, {
    summary: "List the channels of a session",
    description:
      "What its simulator told: those of a telemetry point first, then the channels of its groups, with what there is of each group. They can be asked for with channels= and group= wherever points are answered."
  })
})
