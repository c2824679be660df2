/** Turns columns of a file into the rows of a session: its points, and a batch for each other group. Plain. */
import { type ChannelSet, channelSet } from "../../domain/ChannelSet.ts"
import { type GroupDeclaration, POINTS } from "../../domain/Dictionary.ts"
import { type Channel, channels as pointChannels } from "../../domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../domain/RowBatch.ts"
import { type Rows, SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { vocabulary } from "../../domain/vocabulary.ts"
import type { ImportedChannel } from "./importedChannels.ts"
import { rowMemory } from "./rowMemory.ts"

const isPointChannel = (name: string): name is Channel =>
  (pointChannels as ReadonlyArray<string>).includes(name)

interface Group {
  readonly name: string
  /** "timestamp", then the channels. */
  readonly columns: ReadonlyArray<string>
  /** The index of each channel among the imported ones. */
  readonly sources: ReadonlyArray<number>
}

const groupOrder = new Map(vocabulary.map(({ name }, n) => [name, n]))

const place = (name: string) => groupOrder.get(name) ?? groupOrder.size

const groupsOf = (channels: ReadonlyArray<ImportedChannel>): ReadonlyArray<Group> => {
  const sources = new Map<string, Array<number>>()
  channels.forEach(({ group }, n) => {
    if (group === POINTS) return
    const own = sources.get(group)
    if (own === undefined) sources.set(group, [n])
    else own.push(n)
  })
  return [...sources]
    .map(([name, indexes]) => ({
      name,
      columns: ["timestamp", ...indexes.map((n) => channels[n]!.name)],
      sources: indexes
    }))
    .sort((a, b) => place(a.name) - place(b.name))
}

const isAnyAbsent = (values: Float64Array): boolean => {
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) return true
  return false
}

/** The rows that have a value besides the time. */
const withValues = (batch: RowBatch): RowBatch => {
  const { channels, data, length } = batch
  if (!isAnyAbsent(data.subarray(length, 2 * length))) return batch
  const kept: Array<number> = []
  for (let i = 0; i < length; i++) {
    for (let c = 1; c < channels.length; c++) {
      if (Number.isNaN(data[c * length + i])) continue
      kept.push(i)
      break
    }
  }
  return kept.length === length ? batch : batch.pick(kept)
}

const opened = <Name extends string>(length: number, names: ReadonlyArray<Name>) =>
  new RowBatch(length, rowMemory(length * names.length), names)

/** Memory for a number of rows. Its values are any numbers, and all of them are to be set. */
export interface OpenRows {
  /** Epoch seconds. */
  readonly times: Float64Array
  /** The values of each imported channel, at its index. */
  readonly columns: ReadonlyArray<Float64Array>
  /** The points, then the other groups. A group's row without any value is left out. */
  readonly finish: () => ReadonlyArray<Rows>
}

export class SessionRows {
  readonly declarations: ReadonlyArray<GroupDeclaration>
  readonly #groups: ReadonlyArray<Group>
  /** For each channel of the points its index among the imported ones. */
  readonly #points: ReadonlyArray<readonly [channel: Channel, source: number]>
  readonly #declared: ChannelSet
  /** The channels of the points that the file lacks. */
  readonly #lacking: ReadonlyArray<Channel>
  readonly #channels: number

  /** `channels`: no two of one name. */
  constructor(channels: ReadonlyArray<ImportedChannel>) {
    this.#channels = channels.length
    this.#groups = groupsOf(channels)
    this.#points = channels.flatMap(({ group, name }, n) =>
      group === POINTS && isPointChannel(name) ? [[name, n] as const] : []
    )
    const given = this.#points.map(([name]) => name)
    this.#declared = channelSet(...given)
    this.#lacking = pointChannels.filter((name) => name !== "timestamp" && !given.includes(name))
    this.declarations = this.#groups.map(({ name, sources }) => ({
      name,
      channels: sources.map((n) => {
        const { group: _, ...declaration } = channels[n]!
        return declaration
      })
    }))
  }

  /** Memory for `length` rows, one or more. The reader fills it: values are copied no more. */
  open(length: number): OpenRows {
    const points = opened(length, pointChannels)
    for (const channel of this.#lacking) points.column(channel).fill(ABSENT)
    const columns = Array.from<Float64Array>({ length: this.#channels })
    for (const [channel, source] of this.#points) columns[source] = points.column(channel)
    const batches = this.#groups.map(({ columns: names, name, sources }) => {
      const batch: RowBatch = opened(length, names)
      sources.forEach((source, c) => {
        columns[source] = batch.data.subarray((c + 1) * length, (c + 2) * length)
      })
      return { name, batch }
    })
    const finish = () => {
      const complete = this.#points.filter(([, source]) => !isAnyAbsent(columns[source]!))
      const declared = channelSet(...complete.map(([channel]) => channel))
      const rows: Array<Rows> = [
        SimulatorEvent.Rows({
          group: POINTS,
          batch: points,
          missing: 0,
          declared,
          declaredBySome: this.#declared
        })
      ]
      for (const { batch, name } of batches) {
        batch.timestamps.set(points.timestamps)
        const kept = withValues(batch)
        if (kept.length > 0) rows.push(SimulatorEvent.Rows({ group: name, batch: kept, missing: 0 }))
      }
      return rows
    }
    return { times: points.timestamps, columns, finish }
  }
}
