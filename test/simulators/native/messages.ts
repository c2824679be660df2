/** Messages of a native feed, packed by hand and as text. */
import { channels } from "../../../src/domain/pointChannels.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { NativeDecoder } from "../../../src/simulators/drivers/native/NativeDecoder.ts"
import { owned } from "../sinks.ts"
import { type EventKind, type EventOf, isOf } from "../rows.ts"

interface Header {
  readonly magic?: string
  readonly count?: number
  readonly sequence?: bigint
}

/** A packed message of these columns; the header is right unless it is given otherwise. */
export const packed = (columns: ReadonlyArray<ArrayLike<number>>, header: Header = {}): Buffer => {
  const length = columns[0]?.length ?? 0
  const bytes = Buffer.alloc(16 + 8 * columns.reduce((sum, column) => sum + column.length, 0))
  bytes.write(header.magic ?? "TSB1", 0, "latin1")
  bytes.writeUInt32LE(header.count ?? length, 4)
  bytes.writeBigUInt64LE(header.sequence ?? 0n, 8)
  let at = 16
  for (const column of columns) {
    for (let i = 0; i < column.length; i++) at = bytes.writeDoubleLE(column[i]!, at)
  }
  return bytes
}

/** A packed message of a group; the header is right unless it is given otherwise. */
export const packedGroup = (
  index: number,
  columns: ReadonlyArray<ArrayLike<number>>,
  header: Header & { readonly zero?: number } = {}
): Buffer => {
  const bytes = packed(columns, { magic: "TSB2", ...header })
  const more = Buffer.alloc(8)
  more.writeUInt32LE(index, 0)
  more.writeUInt32LE(header.zero ?? 0, 4)
  return Buffer.concat([bytes.subarray(0, 16), more, bytes.subarray(16)])
}

/** `length` points in all channels; each value shows its place. */
export const plainColumns = (length: number): ReadonlyArray<ReadonlyArray<number>> =>
  channels.map((_, c) => Array.from({ length }, (_, i) => c * 1000 + i))

export const session = (more: object = {}): string =>
  JSON.stringify({ type: "session", circuit: "Spa", vehicle: "GT3", driver: "Anna", ...more })

/** Copies of the events, which stay valid when the decoder goes on. */
export const kept = (events: ReadonlyArray<SimulatorEvent>): ReadonlyArray<SimulatorEvent> =>
  events.map(owned)

/** The events of messages that come together, in as many calls as the decoder takes for them. */
export const decodeTogether = (decoder: NativeDecoder, messages: ReadonlyArray<string | Uint8Array>) => {
  const events: Array<SimulatorEvent> = []
  for (let at = 0; at < messages.length; at += decoder.consumed) {
    events.push(...kept(decoder.decode(messages.slice(at))))
  }
  return events
}

/** The events of messages that come to one decoder one by one. */
export const decodeAll = (...messages: ReadonlyArray<string | Uint8Array>) => {
  const decoder = new NativeDecoder()
  return messages.map((message) => kept(decoder.decode([message]))[0])
}

/** The event of the last message, which must be of this kind. */
export const last = <Kind extends EventKind>(
  kind: Kind,
  ...messages: ReadonlyArray<string | Uint8Array>
): EventOf<Kind> => {
  const decoder = new NativeDecoder()
  const events = messages.map((message) => kept(decoder.decode([message]))).at(-1) ?? []
  // The group of the points' lap numbers and distances is declared before them.
  const event = events.find(({ _tag }) => _tag !== "ChannelsDeclared" || kind === "ChannelsDeclared")
  if (!isOf(kind)(event)) throw new Error(`expected ${kind}, got ${JSON.stringify(event)}`)
  return event
}
