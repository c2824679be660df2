/** The messages of the native feed (spec: native-feed.md) as bytes and text. Plain functions: the hot path. */
import { endianness } from "node:os"
import {
  channels,
  lapColumns,
  PACKED_GROUP_HEADER_BYTES,
  PACKED_GROUP_MAGIC,
  PACKED_HEADER_BYTES,
  PACKED_MAGIC
} from "../../src/simulators/drivers/native/protocol.ts"
import type { StartLine } from "../model/Circuit.ts"
import type { DriveGroup, DriveSamples } from "../model/channelGroups.ts"
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

/** `groups`: the groups of the session, in the order in which packed messages count them. */
export const session = (
  facts: SessionFacts,
  packed: boolean,
  groups: ReadonlyArray<DriveGroup> = []
): string =>
  JSON.stringify({
    type: "session",
    ...facts,
    ...(packed ? { columns: [...channels, ...lapColumns] } : {}),
    ...(groups.length > 0 ? { groups: groups.map(declaration) } : {})
  })

/** Channels of the vocabulary need only their name. */
const declaration = (group: DriveGroup) => ({
  name: group.name,
  channels: group.channels.map(({ labels, name }) => ({ name, labels }))
})

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

/** A points message as JSON. Written by hand: an object per point costs twice as much. */
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

/** The same for samples; absent values have no key. */
export const samplesText = (group: DriveGroup, sequence: number, { data, length }: DriveSamples): string => {
  let text = `{"type":"points","group":"${group.name}","sequence":${sequence},"points":[`
  for (let i = 0; i < length; i++) {
    text += `${i === 0 ? "" : ","}{"timestamp":${data[i]!}`
    group.channels.forEach(({ name }, c) => {
      const value = data[(c + 1) * length + i]!
      if (!Number.isNaN(value)) text += `,"${name}":${value}`
    })
    text += "}"
  }
  return `${text}]}`
}

/**
 * A packed message of columns of equal length, one after another: points, or samples of the group with the index `group` in order of
 * declaration, from 1.
 */
export const packed = (
  sequence: number,
  columns: ReadonlyArray<Float64Array>,
  count: number,
  group?: number
): Uint8Array => {
  const header = group === undefined ? PACKED_HEADER_BYTES : PACKED_GROUP_HEADER_BYTES
  const message = Buffer.allocUnsafe(header + columns.reduce((sum, column) => sum + column.byteLength, 0))
  message.write(group === undefined ? PACKED_MAGIC : PACKED_GROUP_MAGIC, "latin1")
  message.writeUInt32LE(count, 4)
  message.writeBigUInt64LE(BigInt(sequence), 8)
  if (group !== undefined) {
    message.writeUInt32LE(group, 16)
    message.writeUInt32LE(0, 20)
  }
  let at = header
  for (const column of columns) {
    message.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += column.byteLength
  }
  if (endianness() === "BE") message.subarray(header).swap64()
  return message
}

/** A points message packed, with the extra columns. */
export const pointsPacked = (sequence: number, { batch, lapDistance, lapNumber }: DrivePoints): Uint8Array =>
  packed(sequence, [batch.data, lapNumber, lapDistance], batch.length)
