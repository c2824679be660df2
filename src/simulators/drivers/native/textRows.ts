/** Points, and samples of other groups, of text messages, as columns (native-feed.md; channels.md, section 3). */
import { allChannels, channelSet, type ChannelSet, withAlso, without } from "../../../domain/ChannelSet.ts"
import { ABSENT, channels, PointBatch, type SampleBatch } from "../../../domain/PointBatch.ts"
import { numberIn, record, textOf } from "./envelopes.ts"
import type { LinkGroup } from "./LinkGroups.ts"
import { MAX_MESSAGE_BYTES } from "./protocol.ts"

/** As many as a packed message has: the columns of samples with few keys each could take gigabytes together. */
const MAX_VALUES = MAX_MESSAGE_BYTES / Float64Array.BYTES_PER_ELEMENT

/**
 * A channel of a JSON point. A missing value is absent. Null is what JSON makes of NaN and infinities; it becomes a value that is
 * never absent, so that it is refused with the point later.
 */
const valueOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : value === undefined ? ABSENT : value === null ? Infinity : undefined

/** The points, the channels that all of them have, and those that some have; or the problem of one of them. */
export const textPoints = (
  points: ReadonlyArray<unknown>
): { readonly batch: PointBatch; readonly told: ChannelSet; readonly toldBySome: ChannelSet } | string => {
  const batch = PointBatch.allocate(points.length)
  let told = allChannels
  let toldBySome = channelSet()
  for (let i = 0; i < points.length; i++) {
    const point = record(points[i])
    if (point === undefined) return "a point that is not an object"
    for (let c = 0; c < channels.length; c++) {
      const value = valueOf(point[channels[c]!])
      if (value === undefined) return `a point whose ${channels[c]} is ${textOf(point[channels[c]!])}`
      batch.data[c * batch.length + i] = value
      if (Number.isNaN(value)) told = without(told, c)
      else toldBySome = withAlso(toldBySome, c)
    }
  }
  return { batch, told, toldBySome }
}

export interface OptionalColumn {
  /** Undefined where no point has it, NaN at points without it. */
  readonly values: Float64Array | undefined
  /** The first value that is no number, and how many. */
  readonly fault: string | undefined
}

export const optionalColumn = (points: ReadonlyArray<unknown>, name: string): OptionalColumn => {
  let values: Float64Array | undefined
  let faults = 0
  let first: unknown
  for (let i = 0; i < points.length; i++) {
    const value = numberIn(record(points[i])?.[name] ?? undefined)
    if (value === undefined) continue
    if (typeof value !== "number") {
      if (faults++ === 0) first = value
      continue
    }
    values ??= new Float64Array(points.length).fill(Number.NaN)
    values[i] = value
  }
  return { values, fault: faults === 0 ? undefined : `a point whose ${name} is ${textOf(first)}; left out` }
}

/**
 * Samples of a group, with the columns that any of them has; or the problem of one of them. A missing key is absent, true
 * is 1 and false 0. A value that is no number becomes infinite, and does not refuse its sample. A sample may lack a time.
 */
export const textSamples = (group: LinkGroup, samples: ReadonlyArray<unknown>): SampleBatch | string => {
  const columns = new Map<number, Float64Array>()
  const column = (place: number) => {
    const known = columns.get(place)
    if (known !== undefined) return known
    const added = new Float64Array(samples.length).fill(ABSENT)
    columns.set(place, added)
    return added
  }
  column(0)
  for (let i = 0; i < samples.length; i++) {
    const sample = record(samples[i])
    if (sample === undefined) return "a sample that is not an object"
    for (const key in sample) {
      const place = group.place(key)
      if (place === undefined) continue
      if (columns.size * samples.length > MAX_VALUES && !columns.has(place)) {
        return `a text message of ${samples.length} samples with more than ${columns.size} channels`
      }
      const value = sample[key]
      const number = typeof value === "boolean" && place > 0 ? Number(value) : value
      column(place)[i] = typeof number === "number" ? number : place === 0 ? ABSENT : Infinity
    }
  }
  const told = group.columns.filter((_, c) => columns.has(c))
  const batch = PointBatch.allocate(
    samples.length,
    told.length === group.columns.length ? group.columns : told
  )
  let at = 0
  for (let c = 0; c < group.columns.length; c++) {
    const values = columns.get(c)
    if (values !== undefined) batch.data.set(values, batch.length * at++)
  }
  return batch
}
