/**
 * Packed messages of points and of other groups' samples (native-feed.md; channels.md, section 3): their header, and the
 * columns of several as one batch.
 */
import { endianness } from "node:os"
import invariant from "tiny-invariant"
import { channelSet } from "../../../domain/ChannelSet.ts"
import type { Columns } from "../../../domain/Dictionary.ts"
import { lapColumns } from "../../../domain/LapBatch.ts"
import { channels } from "../../../domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../../domain/RowBatch.ts"
import {
  MAX_MESSAGE_BYTES,
  MAX_PACKED_POINTS,
  PACKED_GROUP_HEADER_BYTES,
  PACKED_GROUP_MAGIC,
  PACKED_HEADER_BYTES,
  PACKED_MAGIC
} from "./protocol.ts"
import { AlignedColumns } from "./AlignedColumns.ts"
import type { Scratch } from "./Scratch.ts"

const POINTS_MAGIC = Buffer.from(PACKED_MAGIC, "ascii").readUInt32LE()
const GROUP_MAGIC = Buffer.from(PACKED_GROUP_MAGIC, "ascii").readUInt32LE()

// Packed columns are copied unchanged into Float64Arrays, whose byte order is the machine's.
invariant(endianness() === "LE", "the native feed is decoded on little-endian machines only")

export interface PackedMessage {
  readonly bytes: Uint8Array
  /** Of the header: the columns follow. */
  readonly headerBytes: number
  /** The index of its group, from 1; 0 is points. */
  readonly group: number
  /** The number of points or samples in it. */
  readonly length: number
  /** The number of its first point; above 2^53 it is not exact. */
  readonly sequence: number
}

/** The header of a message, or why it is refused. The number of columns is not compared with the group's here. */
export const packedMessage = (bytes: Uint8Array): PackedMessage | string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const magic = bytes.byteLength < PACKED_HEADER_BYTES ? 0 : view.getUint32(0, true)
  if (magic !== POINTS_MAGIC && magic !== GROUP_MAGIC) {
    return `a binary message that does not begin with ${PACKED_MAGIC} or ${PACKED_GROUP_MAGIC}`
  }
  const headerBytes = magic === POINTS_MAGIC ? PACKED_HEADER_BYTES : PACKED_GROUP_HEADER_BYTES
  if (bytes.byteLength < headerBytes) return `a packed message of ${bytes.byteLength} bytes`
  if (bytes.byteLength > MAX_MESSAGE_BYTES) {
    return `a packed message of ${bytes.byteLength} bytes: the limit is ${MAX_MESSAGE_BYTES}`
  }
  if (magic === GROUP_MAGIC && view.getUint32(20, true) !== 0) {
    return `a packed message with ${view.getUint32(20, true)} in bytes 20 to 23`
  }
  return {
    bytes,
    headerBytes,
    group: magic === POINTS_MAGIC ? 0 : view.getUint32(16, true),
    length: view.getUint32(4, true),
    sequence: view.getUint32(8, true) + view.getUint32(12, true) * 2 ** 32
  }
}

const payloadBytes = ({ bytes, headerBytes }: PackedMessage) => bytes.byteLength - headerBytes

/** Why a message of a group with this many columns is refused; undefined where it is not. */
export const inputError = (message: PackedMessage, columns: number): string | undefined => {
  const { group, length } = message
  const fits = length >= 1 && payloadBytes(message) === 8 * length * columns
  return fits && (group > 0 || length <= MAX_PACKED_POINTS)
    ? undefined
    : `a packed message of ${message.bytes.byteLength} bytes for ${length} points of ${columns} columns`
}

/** The number of samples in a message of an undeclared group: the header's, limited by the message's length. */
export const plausibleSamples = (message: PackedMessage): number => {
  const doubles = payloadBytes(message) / 8
  return message.length >= 1 && doubles > 0 && doubles % message.length === 0 ? message.length : 0
}

const aligned = new AlignedColumns()

/** From this many values on, a block copy takes less time than a loop. */
const MANY = 32

/** Copies each column of the messages, one message after the other, to its target; a column without a target is left out. */
const copyColumns = (
  messages: ReadonlyArray<PackedMessage>,
  targets: ReadonlyArray<Float64Array | undefined>
): void => {
  let at = 0
  for (const message of messages) {
    const { bytes, headerBytes, length } = message
    aligned.set(bytes.subarray(headerBytes), length)
    const { values } = aligned
    for (let c = 0; c < targets.length; c++) {
      const target = targets[c]
      if (target === undefined) continue
      const from = c * length
      if (length >= MANY) target.set(aligned.column(c), at)
      else for (let i = 0; i < length; i++) target[at + i] = values[from + i]!
    }
    at += length
  }
}

const lengthOf = (messages: ReadonlyArray<PackedMessage>) =>
  messages.reduce((sum, { length }) => sum + length, 0)

/** Columns of points that describe the lap: their names there, and in the group of laps. */
const ofLap = [
  ["lap_number", "current_lap"],
  ["lap_distance", "lap_distance"]
] as const

/** The points of all messages, which have these `columns`, as one batch in `memory`. Channels without a column are absent. */
export const joined = (
  messages: ReadonlyArray<PackedMessage>,
  columns: ReadonlyArray<string>,
  memory: Scratch
) => {
  const points = lengthOf(messages)
  const batch = new RowBatch(points, memory.take(points * channels.length), channels)
  const saysLap = ofLap.filter(([name]) => columns.includes(name))
  const lap =
    saysLap.length === 0
      ? undefined
      : new RowBatch(points, memory.take(points * lapColumns.length), lapColumns)
  if (saysLap.length < ofLap.length) lap?.data.fill(ABSENT)
  const targets = columns.map((name) => {
    const [, column] = saysLap.find(([said]) => said === name) ?? []
    if (column !== undefined) return lap?.column(column)
    const channel = channels.find((channel) => channel === name)
    return channel === undefined ? undefined : batch.column(channel)
  })
  const declared = channels.filter((channel) => columns.includes(channel))
  for (const channel of channels) if (!declared.includes(channel)) batch.column(channel).fill(ABSENT)
  copyColumns(messages, targets)
  lap?.timestamps.set(batch.timestamps)
  return { batch, declared: channelSet(...declared), lap }
}

/** The samples of all messages, which have all of these `columns`, as one batch in `memory`. */
export const joinedSamples = (
  messages: ReadonlyArray<PackedMessage>,
  columns: Columns,
  memory: Scratch
): RowBatch => {
  const samples = lengthOf(messages)
  const data = memory.take(samples * columns.length)
  const [only] = messages
  if (only !== undefined && messages.length === 1) {
    // A message's columns are laid out in the memory as a batch's are.
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength).set(only.bytes.subarray(only.headerBytes))
  } else {
    copyColumns(
      messages,
      columns.map((_, c) => data.subarray(c * samples, (c + 1) * samples))
    )
  }
  return new RowBatch(samples, data, columns)
}
