/**
 * The channels of a telemetry point, in the interface's order: the only table of them, for stores, streams, exports and
 * the API. All except the timestamp may be absent.
 */
import { MAX_FRACTION, maxMagnitude } from "./magnitude.ts"

interface PointChannel {
  readonly unit: string
  readonly description: string
  /** Whether a value stays until it changes; else values between two are interpolated linearly. */
  readonly isStep?: boolean
  /** The largest magnitude of a value, if the unit does not determine it. */
  readonly max?: number
  /** The names in MoTeC i2 and iRacing. */
  readonly aliases?: ReadonlyArray<string>
}

const table = {
  timestamp: {
    unit: "s",
    description: "Since the Unix epoch, UTC",
    // Times have a rule of their own (`isPointTime`). A feed counts them from its own zero.
    max: Number.MAX_VALUE
  },
  speed: { unit: "km/h", description: "", aliases: ["Ground Speed", "Speed"] },
  rpm: { unit: "1/min", description: "", aliases: ["Engine RPM", "RPM"] },
  gear: {
    unit: "",
    description: "-1 reverse, 0 neutral, 1 and up forward",
    isStep: true,
    max: 1000,
    aliases: ["Gear"]
  },
  throttle: {
    unit: "",
    description: "0 to 1",
    max: MAX_FRACTION,
    aliases: ["Throttle Pos", "Throttle"]
  },
  brake: { unit: "", description: "0 to 1", max: MAX_FRACTION, aliases: ["Brake Pos", "Brake"] },
  steering: {
    unit: "",
    description: "-1 (full left) to 1 (full right)",
    max: MAX_FRACTION,
    aliases: ["Steering Pos"]
  },
  position_x: { unit: "m", description: "x and y on the ground, z up" },
  position_y: { unit: "m", description: "" },
  position_z: { unit: "m", description: "" }
} satisfies Record<string, PointChannel>

export type Channel = keyof typeof table

export const pointChannels: Readonly<Record<Channel, PointChannel>> = table

export const channels = Object.keys(table) as ReadonlyArray<Channel>

/** The largest magnitude of each channel's values, in the order of `channels`. */
export const maxima: ReadonlyArray<number> = channels.map((name) => {
  const { max, unit } = pointChannels[name]
  return max ?? maxMagnitude(unit)
})
