import { Schema } from "effect"

const channel = (description: string) => Schema.NullOr(Schema.Number).annotations({ description })

/** A telemetry point as the API documents it. formats/ writes points from their columns, never through this schema. */
export const TelemetryPoint = Schema.Struct({
  timestamp: Schema.Number.annotations({ description: "Seconds since the Unix epoch, UTC" }),
  speed: channel("km/h"),
  rpm: channel("1/min"),
  gear: Schema.NullOr(Schema.Int).annotations({ description: "-1 reverse, 0 neutral, 1 and up forward" }),
  throttle: channel("0 to 1"),
  brake: channel("0 to 1"),
  steering: channel("-1 (full left) to 1 (full right)"),
  position_x: channel("Metres; x and y in the ground plane, z up"),
  position_y: channel("Metres"),
  position_z: channel("Metres")
}).annotations({
  identifier: "TelemetryPoint",
  description: "A channel that the simulator does not send is null, never 0. The timestamp is never null"
})

const value = Schema.NullOr(Schema.Number)
const others = Schema.Record({ key: Schema.String, value })

/**
 * A row of an answer with points: a point with the channels that were requested besides, or a sample of the requested
 * group.
 */
export const TelemetryRow = Schema.Union(
  Schema.extend(TelemetryPoint, others).annotations({ identifier: "TelemetryPointWithChannels" }),
  Schema.Struct({ timestamp: Schema.Number }, { key: Schema.String, value }).annotations({
    identifier: "ChannelSample",
    description: "A sample of a channel group. An absent channel is null"
  })
).annotations({ identifier: "TelemetryRow" })

/** Names the group of the samples, where the request named one. */
export const answeredGroup = {
  group: Schema.optional(Schema.String).annotations({ description: "The group that the samples belong to" })
}
