/** The channels in which laps are compared, and how each is drawn. */
import type { Trace } from "../types.ts"

export interface Channel {
  readonly name: keyof Omit<Trace, "lap_id" | "distance" | "position_x" | "position_y" | "channels">
  readonly label: string
  readonly height: number
  readonly range?: readonly [number, number]
  readonly stepped?: boolean
  /** There is nothing between whole numbers. */
  readonly whole?: boolean
  readonly values?: (value: number) => string
}

const channels: ReadonlyArray<Channel> = [
  { name: "speed", label: "Speed km/h", height: 190 },
  {
    name: "throttle",
    label: "Throttle %",
    height: 84,
    range: [0, 1.03],
    values: (value) => String(Math.round(value * 100))
  },
  {
    name: "brake",
    label: "Brake %",
    height: 84,
    range: [0, 1.03],
    values: (value) => String(Math.round(value * 100))
  },
  { name: "gear", label: "Gear", height: 74, stepped: true, whole: true },
  { name: "steering", label: "Steering: left below, right above 0", height: 90 },
  {
    name: "time_delta",
    label: "Seconds behind the fastest (above 0: lost)",
    height: 150,
    values: (value) => value.toFixed(2)
  }
]

/** Those that one of the laps tells. */
export const channelsOf = (traces: ReadonlyArray<Trace>): ReadonlyArray<Channel> =>
  channels.filter(({ name }) => traces.some((trace) => trace[name].some((value) => value !== null)))
