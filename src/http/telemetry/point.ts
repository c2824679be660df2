import { Schema } from "effect"

/** A telemetry point as it is documented; points are written from their columns (export/), never through this schema. */
export const TelemetryPoint = Schema.Struct({
  timestamp: Schema.Number.annotations({ description: "Seconds since the Unix epoch, UTC" }),
  speed: Schema.Number.annotations({ description: "km/h" }),
  rpm: Schema.Number,
  gear: Schema.Int.annotations({ description: "-1 reverse, 0 neutral, 1 and up forward" }),
  throttle: Schema.Number.annotations({ description: "0 to 1" }),
  brake: Schema.Number.annotations({ description: "0 to 1" }),
  steering: Schema.Number.annotations({ description: "-1 (full left) to 1 (full right)" }),
  position_x: Schema.Number.annotations({ description: "Metres; x and y on the ground, z up" }),
  position_y: Schema.Number,
  position_z: Schema.Number
}).annotations({ identifier: "TelemetryPoint" })
