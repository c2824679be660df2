/** Packed points messages (native-feed.md): their header, and the columns of several as one batch. */
import { endianness } from "node:os"
import invariant from "tiny-invariant"
import { channelSet } from "../../../domain/ChannelSet.ts"
import { ABSENT, channels, PointBatch } from "../../../domain/PointBatch.ts"
import { MAX_PACKED_POINTS, PACKED_HEADER_BYTES, PACKED_MAGIC } from "./protocol.ts"
import { Scratch } from "./Scratch.ts"

const MAGIC = Buffer.from(PACKED_MAGIC, "ascii").readUInt32LE()

// Packed columns are copied as they are into Float64Arrays, which are in the machine's order.
invariant(endianness() === "LE", "the native feed is decoded on little-endian machines only")

export interface PackedMessage {
  readonly bytes: Uint8Array
  /** Points in it. */
  readonly length: number
  /** Of its first point; one above 2^53 is not exact. */
  readonly sequence: number
}

/** What the header of a message with so many columns says, or why it is refused. */
export const packedMessage = (bytes: Uint8Array, columns: number): PackedMessage | string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength < PACKED_HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    return "a binary message that does not begin with TSB1"
  }
  const length = view.getUint32(4, true)
  const expected = PACKED_HEADER_BYTES + 8 * length * columns
  if (length < 1 || length > MAX_PACKED_POINTS || bytes.byteLength !== expected) {
    return `a packed message of ${bytes.byteLength} bytes for ${length} points of ${columns} columns`
  }
  return { bytes, length, sequence: view.getUint32(8, true) + view.getUint32(12, true) * 2 ** 32 }
}

/** A payload begins anywhere in what the socket read; doubles are read from here, where they are aligned. */
const aligned = new Scratch()

const align = (bytes: Uint8Array): Float64Array => {
  const payload = bytes.subarray(PACKED_HEADER_BYTES)
  aligned.reset()
  const doubles = aligned.take(payload.byteLength / Float64Array.BYTES_PER_ELEMENT)
  new Uint8Array(doubles.buffer).set(payload)
  return doubles
}

/** The points of all messages, which have these `columns`, as one batch; in `memory`. What no column tells is absent. */
export const joined = (
  messages: ReadonlyArray<PackedMessage>,
  columns: ReadonlyArray<string>,
  memory: Scratch
) => {
  const points = messages.reduce((sum, { length }) => sum + length, 0)
  const batch = new PointBatch(points, memory.take(points * channels.length))
  const extra = (name: string) => (columns.includes(name) ? new Float64Array(points) : undefined)
  const lapNumber = extra("lap_number")
  const lapDistance = extra("lap_distance")
  const targets = columns.map((name) => {
    if (name === "lap_number") return lapNumber
    if (name === "lap_distance") return lapDistance
    const channel = channels.find((channel) => channel === name)
    return channel === undefined ? undefined : batch.column(channel)
  })
  const told = channels.filter((channel) => columns.includes(channel))
  for (const channel of channels) if (!told.includes(channel)) batch.column(channel).fill(ABSENT)
  let at = 0
  for (const { bytes, length } of messages) {
    const values = align(bytes)
    for (let c = 0; c < targets.length; c++) {
      const target = targets[c]
      if (target === undefined) continue
      const from = c * length
      for (let i = 0; i < length; i++) target[at + i] = values[from + i]!
    }
    at += length
  }
  return { batch, told: channelSet(...told), lapNumber, lapDistance }
}
