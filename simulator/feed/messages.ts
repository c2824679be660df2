/** The messages of the native feed (spec: native-feed.md) as they go over the wire. Plain functions: the hot path. */
import { endianness } from "node:os"
import {
  channels,
  lapColumns,
  PACKED_HEADER_BYTES,
  PACKED_MAGIC
} from "../../src/simulators/drivers/native/protocol.ts"
import type { StartLine } from "../model/Circuit.ts"
import type { DrivePoints } from "../model/DrivePoints.ts"
import type { DrivenLap } from "../model/lap.ts"

export const welcome = (simulator: string): string => JSON.stringify({ type: "welcome", simulator })

export interface SessionFacts {
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  /** Epoch seconds of the feed's zero. */
  readonly start_time: number
  readonly circuit_length: number
  readonly start_line: StartLine
}

export const session = (facts: SessionFacts, packed: boolean): string =>
  JSON.stringify({ type: "session", ...facts, ...(packed ? { columns: [...channels, ...lapColumns] } : {}) })

export const sessionEnd = JSON.stringify({ type: "session_end" })

export const lap = (driven: DrivenLap): string =>
  JSON.stringify({
    type: "lap",
    lap_number: driven.lapNumber,
    lap_time: driven.lapTime,
    sector1_time: driven.sectors[0],
    sector2_time: driven.sectors[1],
    sector3_time: driven.sectors[2],
    valid: driven.valid,
    start_time: driven.start,
    end_time: driven.end
  })

/** A points message as JSON. Written by hand: an object a point costs twice as much. */
export const pointsText = (sequence: number, { batch, lapDistance, lapNumber }: DrivePoints): string => {
  const { data, length } = batch
  let text = `{"type":"points","sequence":${sequence},"points":[`
  for (let i = 0; i < length; i++) {
    text += i === 0 ? "{" : ",{"
    for (let c = 0; c < channels.length; c++) text += `"${channels[c]!}":${data[c * length + i]!},`
    text += `"lap_number":${lapNumber[i]!},"lap_distance":${lapDistance[i]!}}`
  }
  return `${text}]}`
}

const MAGIC = Buffer.from(PACKED_MAGIC, "ascii")

/** A packed points message of columns of equal length, one after another. */
export const packed = (sequence: number, columns: ReadonlyArray<Float64Array>, count: number): Uint8Array => {
  const message = Buffer.allocUnsafe(
    PACKED_HEADER_BYTES + columns.reduce((sum, column) => sum + column.byteLength, 0)
  )
  MAGIC.copy(message)
  message.writeUInt32LE(count, 4)
  message.writeBigUInt64LE(BigInt(sequence), 8)
  let at = PACKED_HEADER_BYTES
  for (const column of columns) {
    message.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += column.byteLength
  }
  if (endianness() === "BE") message.subarray(PACKED_HEADER_BYTES).swap64()
  return message
}

/** A points message packed, with the extra columns. */
export const pointsPacked = (sequence: number, { batch, lapDistance, lapNumber }: DrivePoints): Uint8Array =>
  packed(sequence, [batch.data, lapNumber, lapDistance], batch.length)
