import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { Writable } from "node:stream"
import * as ws from "ws"
import { channels } from "../../src/domain/pointChannels.ts"
import { ABSENT } from "../../src/domain/RowBatch.ts"
import { TelemetryRun, telemetryText, textFrame } from "../../src/live/hub/frames.ts"
import { onePoint, pointsAt } from "./support.ts"

/** ws's own frame parser, exported but not in its types. */
const { Receiver } = ws as unknown as {
  readonly Receiver: new (options: {
    readonly isServer: boolean
    readonly allowSynchronousEvents: boolean
  }) => Writable
}

/** The messages that ws itself reads from these bytes. */
const received = (bytes: Buffer): ReadonlyArray<string> => {
  const messages: Array<string> = []
  const receiver = new Receiver({ isServer: false, allowSynchronousEvents: true })
  receiver.on("message", (data: Buffer, isBinary: boolean) => {
    expect(isBinary).toBe(false)
    messages.push(String(data))
  })
  receiver.write(bytes)
  return messages
}

const reference = (sessionId: number, values: ReadonlyArray<number>) => {
  const fields = channels.map((channel, i) => [channel, values[i]] as const)
  const data = Object.fromEntries(fields.filter(([channel]) => channel !== "steering"))
  return JSON.stringify({ type: "telemetry", data, session_id: sessionId })
}

const around = (edge: number) => FastCheck.integer({ min: edge - 3, max: edge + 3 })

describe("textFrame", () => {
  it("is one frame to ws at every size of the length field", () => {
    for (const size of [0, 1, 124, 125, 126, 127, 65_534, 65_535, 65_536, 65_537]) {
      const text = "x".repeat(size)
      expect(received(textFrame(text))).toEqual([text])
    }
  })

  it("decodes to its text, for any text, and several in a row stay apart", () => {
    const text = FastCheck.tuple(
      FastCheck.oneof(FastCheck.string({ unit: "grapheme" }), FastCheck.constant("")),
      FastCheck.oneof(around(126), around(65_536), FastCheck.nat(300))
    ).map(([start, size]) => start + "y".repeat(Math.max(0, size - Buffer.byteLength(start))))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(text, { maxLength: 4 }), (texts) => {
        expect(received(Buffer.concat(texts.map(textFrame)))).toEqual(texts)
      })
    )
  })
})

describe("telemetryText", () => {
  it("is byte by byte what JSON.stringify writes, without steering", () => {
    const values = [
      1e21,
      -0,
      5e-324,
      -1,
      0.1 + 0.2,
      1,
      0.7,
      1.7976931348623157e308,
      -1e-7,
      123456789012345680000
    ]
    expect(telemetryText(7, onePoint(values), 0)).toBe(
      '{"type":"telemetry","data":{"timestamp":1e+21,"speed":0,"rpm":5e-324,"gear":-1,' +
        '"throttle":0.30000000000000004,"brake":1,"position_x":1.7976931348623157e+308,' +
        '"position_y":-1e-7,"position_z":123456789012345680000},"session_id":7}'
    )
    expect(telemetryText(7, onePoint(values), 0)).toBe(reference(7, values))
  })

  it("agrees with JSON.stringify for all finite and absent values", () => {
    const finite = FastCheck.double({ noNaN: true, noDefaultInfinity: true })
    const value = FastCheck.oneof({ weight: 3, arbitrary: finite }, FastCheck.constant(ABSENT))
    const untimed = channels.length - 1
    const point = FastCheck.tuple(
      finite,
      FastCheck.array(value, { minLength: untimed, maxLength: untimed })
    ).map(([time, rest]) => [time, ...rest])
    FastCheck.assert(
      FastCheck.property(point, FastCheck.integer({ min: 1 }), (values, id) => {
        expect(telemetryText(id, onePoint(values), 0)).toBe(reference(id, values))
      })
    )
  })
})

describe("TelemetryRun", () => {
  it("has null for an absent value, in the frame and in the object alike", () => {
    const values = [1.5, 200, ABSENT, 3, ABSENT, ABSENT, ABSENT, 1, -2, ABSENT]
    const run = new TelemetryRun(3, onePoint(values), { first: 1, chosen: [0], leftOut: 0 })
    const data = { timestamp: 1.5, speed: 200, rpm: null, gear: 3, throttle: null, brake: null }
    const places = { position_x: 1, position_y: -2, position_z: null }
    expect(JSON.parse(received(run.plain.bytes)[0]!).data).toStrictEqual({ ...data, ...places })
    expect(run.messages[0]!.data).toStrictEqual({ ...data, steering: null, ...places })
  })

  it("holds the frames one after another, and the newest alone", () => {
    const run = new TelemetryRun(3, pointsAt([10, 11, 12]), { first: 7, chosen: [0, 2, 3], leftOut: 4 })
    expect(run.count).toBe(3)
    expect(received(run.plain.bytes).map((text) => JSON.parse(text).data.timestamp)).toEqual([10, 11, 12])
    expect(received(run.plain.newest).map((text) => JSON.parse(text).data.timestamp)).toEqual([12])
  })
})
