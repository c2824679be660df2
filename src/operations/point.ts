import { Schema } from "effect"
import { type Channel, channels, pointChannels } from "../domain/pointChannels.ts"

const { timestamp: _timestamp, ...others } = Object.fromEntries(
  channels.map((name) => {
    const { description, isStep = false, unit } = pointChannels[name]
    // The only step of a point, its gear, is a whole number.
    const of: Schema.Schema<number> = isStep ? Schema.Int : Schema.Number
    const words = [unit, description].filter((word) => word !== "").join("; ")
    return [name, Schema.NullOr(of).annotations({ description: words })]
  })
) as Record<Channel, Schema.NullOr<Schema.Schema<number>>>

/** A telemetry point as the API documents it. formats/ writes points from their columns, never through this schema. */
export const TelemetryPoint = Schema.Struct({
  timestamp: Schema.Number.annotations({ description: "Seconds since the Unix epoch, UTC" }),
  ...others
}).annotations({
  identifier: "TelemetryPoint",
  description: "A channel that the simulator does not send is null, never 0. The timestamp is never null"
})

const value = Schema.NullOr(Schema.Number)
const requested = Schema.Record({ key: Schema.String, value })

/**
 * A row of an answer with points: a point with the additionally requested channels, or a sample of the requested group.
 */
export const TelemetryRow = Schema.Union(
  Schema.extend(TelemetryPoint, requested).annotations({ identifier: "TelemetryPointWithChannels" }),
  Schema.Struct({ timestamp: Schema.Number }, { key: Schema.String, value }).annotations({
    identifier: "ChannelSample",
    description: "A sample of a channel group. An absent channel is null"
  })
).annotations({ identifier: "TelemetryRow" })

/** The group of the samples, if the request named one. */
export const answeredGroup = {
  group: Schema.optional(Schema.String).annotations({ description: "The group that the samples belong to" })
}
