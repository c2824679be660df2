import { type Channel, channels, type PointBatch } from "../domain/PointBatch.ts"
import { orNull, type TelemetryMessage, telemetryMessage } from "./messages.ts"

/** First byte of a frame: FIN, no extension bits, opcode text (RFC 6455, 5.2). */
const FIN_TEXT = 0x81

/** A length up to 125 stands in the second byte; 126 and 127 say that 2 or 8 bytes follow with it (5.2). */
const LENGTH_IN_BYTE = 125
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127

/** A whole text message as one unmasked frame, which is how a server sends it. */
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
 * The message of one point (interface.md, section 6: no steering). Written by hand, because it is built once
 * a point and cadence: a template writes a finite number exactly as JSON.stringify does, -0 as 0 included.
 * `batch` has all channels and only values that are finite or absent, as the recorder admits them.
 */
export const telemetryText = (sessionId: number, batch: PointBatch, i: number): string => {
  const { data, length: n } = batch
  const told = (column: number) => orNull(data[column * n + i]!)
  return (
    `{"type":"telemetry","data":{"timestamp":${data[i]},"speed":${told(SPEED)},` +
    `"rpm":${told(RPM)},"gear":${told(GEAR)},"throttle":${told(THROTTLE)},` +
    `"brake":${told(BRAKE)},"position_x":${told(X)},"position_y":${told(Y)},` +
    `"position_z":${told(Z)}},"session_id":${sessionId}}`
  )
}

/**
 * Messages of one session that go out together: those of a batch's points, of one at least. As frames for WebSockets, as
 * values for who encodes them otherwise; each is built once, for the first that asks.
 */
export class TelemetryRun {
  readonly sessionId: number
  readonly #points: PointBatch
  #frames: ReadonlyArray<Buffer> | undefined
  #bytes: Buffer | undefined
  #messages: ReadonlyArray<TelemetryMessage> | undefined

  constructor(sessionId: number, points: PointBatch) {
    this.sessionId = sessionId
    this.#points = points
  }

  get count(): number {
    return this.#points.length
  }

  /** The last frame alone: what remains for a subscriber that is behind. */
  get newest(): Buffer {
    return this.#built[this.count - 1]!
  }

  get bytes(): Buffer {
    this.#bytes ??= this.count === 1 ? this.newest : Buffer.concat(this.#built)
    return this.#bytes
  }

  get messages(): ReadonlyArray<TelemetryMessage> {
    this.#messages ??= this.#each((i) => telemetryMessage(this.sessionId, this.#points, i))
    return this.#messages
  }

  #each<A>(build: (i: number) => A): ReadonlyArray<A> {
    return Array.from({ length: this.count }, (_, i) => build(i))
  }

  get #built(): ReadonlyArray<Buffer> {
    this.#frames ??= this.#each((i) => textFrame(telemetryText(this.sessionId, this.#points, i)))
    return this.#frames
  }
}
