/** Points, and samples of other groups, of text messages, as columns (native-feed.md; channels.md, section 3). */
import { allChannels, channelSet, type ChannelSet, withAlso, without } from "../../../domain/ChannelSet.ts"
import { type LapBatch, lapBatch } from "../../../domain/LapBatch.ts"
import { channels } from "../../../domain/pointChannels.ts"
import { ABSENT, type PointBatch, RowBatch } from "../../../domain/RowBatch.ts"
import { numberIn, record, textOf } from "./envelopes.ts"
import type { LinkGroup } from "./LinkGroups.ts"
import { lapColumns, MAX_MESSAGE_BYTES } from "./protocol.ts"

/** As many as a packed message has: the columns of samples with few keys each could take gigabytes together. */
const MAX_VALUES = MAX_MESSAGE_BYTES / Float64Array.BYTES_PER_ELEMENT

type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (row: unknown): row is JsonObject => record(row) !== undefined

/** The first value of a message that is of another type than its channel; null is what JSON makes of NaN and infinities. */
class WrongValue {
  reason: string | undefined

  look(row: string, channel: string, value: unknown): void {
    if (value !== null) this.reason ??= `a ${row} whose ${channel} is ${textOf(value)}`
  }
}

export interface TextPoints {
  readonly batch: PointBatch
  /** The channels that all of the points have, and those that some have. */
  readonly declared: ChannelSet
  readonly declaredBySome: ChannelSet
  readonly lap: LapBatch | undefined
  /** The problems of some of them. */
  readonly faults: ReadonlyArray<string>
}

/** A missing value is absent. One that is no number becomes infinite, so that it is refused with its point later. */
export const textPoints = (points: ReadonlyArray<JsonObject>): TextPoints => {
  const batch = RowBatch.allocate(points.length, channels)
  const wrong = new WrongValue()
  let declared = allChannels
  let declaredBySome = channelSet()
  for (let i = 0; i < points.length; i++) {
    const point = points[i]!
    for (let c = 0; c < channels.length; c++) {
      const value = point[channels[c]!]
      if (value === undefined) {
        declared = without(declared, c)
        batch.data[c * batch.length + i] = ABSENT
        continue
      }
      if (typeof value !== "number") wrong.look("point", channels[c]!, value)
      declaredBySome = withAlso(declaredBySome, c)
      batch.data[c * batch.length + i] = typeof value === "number" ? value : Infinity
    }
  }
  const ofLap = lapColumns.map((name) => optionalColumn(points, name))
  const [numbers, distances] = ofLap.map(({ values }) => values)
  return {
    batch,
    declared,
    declaredBySome,
    lap: lapBatch(batch.timestamps, numbers, distances),
    faults: [wrong.reason, ...ofLap.map(({ fault }) => fault)].filter((fault) => fault !== undefined)
  }
}

interface OptionalColumn {
  /** Undefined where no point has it, NaN at points without it. */
  readonly values: Float64Array | undefined
  /** The first value that is no number. */
  readonly fault: string | undefined
}

const optionalColumn = (points: ReadonlyArray<JsonObject>, name: string): OptionalColumn => {
  const wrong = new WrongValue()
  let values: Float64Array | undefined
  for (let i = 0; i < points.length; i++) {
    const value = numberIn(points[i]![name] ?? undefined)
    if (value === undefined) continue
    if (typeof value !== "number") {
      wrong.look("point", name, value)
      continue
    }
    values ??= new Float64Array(points.length).fill(Number.NaN)
    values[i] = value
  }
  return { values, fault: wrong.reason === undefined ? undefined : `${wrong.reason}; left out` }
}

export interface TextSamples {
  readonly group: string
  readonly batch: RowBatch
  readonly faults: ReadonlyArray<string>
}

/**
 * Samples of a group, with the columns that any of them has; or why they cannot be read. A missing key is absent, true is 1
 * and false 0. A value that is no number becomes infinite, and does not refuse its sample. A sample may lack a time.
 */
export const textSamples = (group: LinkGroup, samples: ReadonlyArray<JsonObject>): TextSamples | string => {
  const wrong = new WrongValue()
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
    const sample = samples[i]!
    for (const key in sample) {
      const place = group.place(key)
      if (place === undefined) continue
      if (columns.size * samples.length > MAX_VALUES && !columns.has(place)) {
        return `a text message of ${samples.length} samples with more than ${columns.size} channels`
      }
      const value = sample[key]
      const number = typeof value === "boolean" && place > 0 ? Number(value) : value
      if (typeof number !== "number") wrong.look("sample", key, value)
      column(place)[i] = typeof number === "number" ? number : place === 0 ? ABSENT : Infinity
    }
  }
  const declared = group.columns.filter((_, c) => columns.has(c))
  const batch = RowBatch.allocate(
    samples.length,
    declared.length === group.columns.length ? group.columns : declared
  )
  let at = 0
  for (let c = 0; c < group.columns.length; c++) {
    const values = columns.get(c)
    if (values !== undefined) batch.data.set(values, batch.length * at++)
  }
  return { group: group.name, batch, faults: wrong.reason === undefined ? [] : [wrong.reason] }
}
