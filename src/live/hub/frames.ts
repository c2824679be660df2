import { type Channel, channels } from "../../domain/pointChannels.ts"
import { orNull, type PointBatch } from "../../domain/RowBatch.ts"
import type { ChannelValues } from "../channels/ChannelValues.ts"
import { type TelemetryMessage, telemetryMessage } from "./messages.ts"

/** First byte of a frame: FIN, no extension bits, opcode text (RFC 6455, 5.2). */
const FIN_TEXT = 0x81

/** The second byte holds a length up to 125; 126 and 127 mean that the length follows in 2 or 8 bytes (5.2). */
const LENGTH_IN_BYTE = 125
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127

/** A whole text message as one unmasked frame, as a server sends it. */
export const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text)
  const header = length <= LENGTH_IN_BYTE ? 2 : length <= 0xffff ? 4 : 10
  const frame = Buffer.allocUnsafe(header + length)
  frame[0] = FIN_TEXT
  if (header === 2) frame[1] = length
  else if (header === 4) {
    frame[1] = LENGTH_IN_2_BYTES
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_IN_8_BYTES
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, header)
  return frame
}

const index = (channel: Channel) => channels.indexOf(channel)
const SPEED = index("speed")
const RPM = index("rpm")
const GEAR = index("gear")
const THROTTLE = index("throttle")
const BRAKE = index("brake")
const X = index("position_x")
const Y = index("position_y")
const Z = index("position_z")

/**
 * The message of one point (interface.md, section 6: no steering). Written by hand, because it is built once for each point
 * and sampler. A template writes a finite number exactly as JSON.stringify does, including -0 as 0. `batch` has all channels,
 * with only finite or absent values, because the recorder admits no others.
 */
export const telemetryText = (sessionId: number, batch: PointBatch, i: number): string => {
  const { data, length: n } = batch
  const valueOf = (column: number) => orNull(data[column * n + i]!)
  return (
    `{"type":"telemetry","data":{"timestamp":${data[i]},"speed":${valueOf(SPEED)},` +
    `"rpm":${valueOf(RPM)},"gear":${valueOf(GEAR)},"throttle":${valueOf(THROTTLE)},` +
    `"brake":${valueOf(BRAKE)},"position_x":${valueOf(X)},"position_y":${valueOf(Y)},` +
    `"position_z":${valueOf(Z)}},"session_id":${sessionId}}`
  )
}

/** This many channels take as many bytes as a message without any: some 220. */
const CHANNELS_AS_LONG = 8

/** The numbers in the session of a run's points. */
export interface RunNumbers {
  /** The number of the point at index 0, from 1; undefined if unknown. */
  readonly first: number | undefined
  /** The index of each point of the run, increasing. */
  readonly chosen: ReadonlyArray<number>
  /** Points before index 0 that were left out on purpose since the previous message. */
  readonly leftOut: number
}

/** Frames that are sent together, each with one message. Built once, for the first subscriber that needs them. */
export class MessageFrames {
  readonly count: number
  readonly #textOf: (i: number) => string
  #each: ReadonlyArray<Buffer> | undefined
  #bytes: Buffer | undefined

  constructor(count: number, textOf: (i: number) => string) {
    this.count = count
    this.#textOf = textOf
  }

  get each(): ReadonlyArray<Buffer> {
    this.#each ??= Array.from({ length: this.count }, (_, i) => textFrame(this.#textOf(i)))
    return this.#each
  }

  /** The last frame alone, for a subscriber that is behind. */
  get newest(): Buffer {
    return this.each[this.count - 1]!
  }

  get bytes(): Buffer {
    this.#bytes ??= this.count === 1 ? this.newest : Buffer.concat(this.each)
    return this.#bytes
  }
}

/**
 * Messages of one session that are sent together: those of a batch's points, at least one. They exist as frames for
 * WebSockets and as values for other encodings. Each form is built once, for the first subscriber that needs it.
 */
export class TelemetryRun {
  readonly sessionId: number
  readonly #points: PointBatch
  readonly #numbers: RunNumbers
  /** The channels that its messages have beside the points; undefined if no subscriber asked for any. */
  readonly #channels: ChannelValues | undefined
  #plain: MessageFrames | undefined
  #numbered: MessageFrames | undefined
  #messages: ReadonlyArray<TelemetryMessage> | undefined

  constructor(sessionId: number, points: PointBatch, numbers: RunNumbers, values?: ChannelValues) {
    this.sessionId = sessionId
    this.#points = points
    this.#numbers = numbers
    this.#channels = values
  }

  get count(): number {
    return this.#points.length
  }

  /** The length of the run's messages, as a multiple of a message with a point alone. */
  get size(): number {
    return this.#channels === undefined ? 1 : 1 + this.#channels.names.length / CHANNELS_AS_LONG
  }

  get plain(): MessageFrames {
    this.#plain ??= new MessageFrames(this.count, (i) => this.#text(i))
    return this.#plain
  }

  /**
   * The frames with `sequence`, the number of the point, and `left_out`: points left out on purpose since the previous
   * message.
   */
  get numbered(): MessageFrames {
    this.#numbered ??= new MessageFrames(this.count, (i) => this.#numberedText(i))
    return this.#numbered
  }

  /** The number in the session of a point of the run, from 1; undefined if unknown. */
  sequence(i: number): number | undefined {
    const { chosen, first } = this.#numbers
    return first === undefined ? undefined : first + chosen[i]!
  }

  get messages(): ReadonlyArray<TelemetryMessage> {
    this.#messages ??= Array.from({ length: this.count }, (_, i) =>
      telemetryMessage(this.sessionId, this.#points, i, this.#channels?.of(i))
    )
    return this.#messages
  }

  #text(i: number): string {
    const text = telemetryText(this.sessionId, this.#points, i)
    return this.#channels === undefined ? text : `${text.slice(0, -1)},"channels":${this.#channels.text(i)}}`
  }

  #numberedText(i: number): string {
    const { chosen, leftOut } = this.#numbers
    const left = i === 0 ? leftOut + chosen[0]! : chosen[i]! - chosen[i - 1]! - 1
    const text = this.#text(i).slice(0, -1)
    return `${text},"sequence":${this.sequence(i) ?? null},"left_out":${left}}`
  }
}
