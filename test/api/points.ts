/** Points as the interface writes them. */
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import type { PointBatch } from "../../src/domain/RowBatch.ts"

export type Point = Readonly<Record<Channel, number>>

export const pointsOf = ({ data, length }: PointBatch): ReadonlyArray<Point> =>
  Array.from(
    { length },
    (_, i) => Object.fromEntries(channels.map((channel, c) => [channel, data[c * length + i]!])) as Point
  )

/** Every Nth point, with the first and the last, as `sample_rate` requests. */
export const everyNth = <A>(points: ReadonlyArray<A>, n: number): ReadonlyArray<A> =>
  points.filter((_, i) => i % n === 0 || i === points.length - 1)

/** A point as a row of CSV has it: whole numbers of all channels but the gear have a decimal point. */
export const csvRowOf = (point: { readonly [K in Channel]?: number | null | undefined }): string =>
  channels
    .map((channel) => {
      const value = point[channel]
      return channel !== "gear" && Number.isInteger(value) ? `${value}.0` : String(value ?? "")
    })
    .join(",")
