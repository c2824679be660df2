/** The sheet's golden bytes: what the driver reads from them, and what the emulator writes for their values. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type F1Format, shapesOf } from "../../../../src/simulate/emulators/f1/formats.ts"
import { Packet } from "../../../../src/simulate/emulators/f1/Packet.ts"
import type { Values } from "../../../../src/simulate/emulators/f1/Struct.ts"
import {
  newHeader,
  problemWith,
  readHeader,
  readHistoryCar,
  readHistoryLap,
  readLapData,
  readMotion,
  readParticipant,
  readSession,
  readTelemetry
} from "../../../../src/simulators/drivers/f1/decode.ts"
import { protocol } from "../../../../src/simulators/drivers/f1/F1Driver.ts"
import { formats, type Layout, layoutOf } from "../../../../src/simulators/drivers/f1/layout.ts"
import { root } from "../../../blackbox/processes.ts"
import { bytesOf, fuzz, type GoldenVector, goldenVectors, haveGolden, linkOptions } from "../interpreting.ts"
import { Game } from "./packets.ts"

type Fields = Readonly<Record<string, unknown>>

/** Of a long array the sheet gives the elements 0 and 19. */
const elementOf = (array: unknown, index: number) => (array as Readonly<Record<number, Fields>>)[index]!

const vectors = haveGolden ? goldenVectors("f1.json") : []
const layoutsFile = join(root, "../shared/protocols/f1-layouts.json")
const cars = [0, 19]
const splitMs = (lap: Fields, sector: number) =>
  Number(lap[`sector${sector}TimeMSPart`]) + 60_000 * Number(lap[`sector${sector}TimeMinutesPart`])

/** What the sheet says is in a vector, by our decoder's names; and what the decoder reads. */
const readings: Readonly<
  Record<number, (bytes: Buffer, layout: Layout, expect: Fields) => readonly [unknown, unknown]>
> = {
  0: (bytes, layout, { cars: said }) => [
    cars.map((car) => {
      const motion = { x: 0, y: 0, z: 0 }
      readMotion(bytes, layout, car, motion)
      return motion
    }),
    cars.map((car) => {
      const { worldPositionX: x, worldPositionY: y, worldPositionZ: z } = elementOf(said, car)
      return { x, y, z }
    })
  ],
  1: (bytes, _, { isSpectating, trackId, trackLength }) => [
    readSession(bytes),
    { trackId, trackLength, isSpectating: isSpectating === 1 }
  ],
  2: (bytes, layout, { cars: said }) => [
    cars.map((car) => readLapData(bytes, layout, car)),
    cars.map((car) => {
      const lap = elementOf(said, car)
      return {
        lastLapMs: lap["lastLapTimeInMS"],
        currentLapMs: lap["currentLapTimeInMS"],
        sector1Ms: splitMs(lap, 1),
        sector2Ms: splitMs(lap, 2),
        lapDistance: lap["lapDistance"],
        lapNumber: lap["currentLapNum"],
        invalid: lap["currentLapInvalid"] !== 0,
        driverStatus: lap["driverStatus"],
        resultStatus: lap["resultStatus"]
      }
    })
  ],
  4: (bytes, layout, { cars: said }) => [
    cars.map((car) => readParticipant(bytes, layout, car)),
    cars.map((car) => {
      const { myTeam, name, teamId } = elementOf(said, car)
      return { team: teamId, myTeam: myTeam === 1, name }
    })
  ],
  6: (bytes, layout, { cars: said }) => [
    cars.map((car) => {
      const telemetry = { speed: 0, throttle: 0, steering: 0, brake: 0, gear: 0, rpm: 0 }
      readTelemetry(bytes, layout, car, telemetry)
      return telemetry
    }),
    cars.map((car) => {
      const { brake, engineRPM, gear, speed, steer, throttle } = elementOf(said, car)
      return { speed, throttle, steering: steer, brake, gear, rpm: engineRPM }
    })
  ],
  // CarStatus: nothing in it is needed.
  7: () => [undefined, undefined],
  11: (bytes, _, { carIdx, laps, numLaps }) => [
    [readHistoryCar(bytes), readHistoryLap(bytes, 1), readHistoryLap(bytes, Number(numLaps) + 1)],
    [carIdx, historyOf(elementOf(laps, 0)), undefined]
  ]
}

const historyOf = (lap: Fields) => ({
  lapMs: lap["lapTimeInMS"],
  sectorsMs: [1, 2, 3].map((sector) => splitMs(lap, sector)),
  valid: (Number(lap["lapValidBitFlags"]) & 1) === 1
})

describe.skipIf(!haveGolden)("golden bytes of F1", () => {
  it("are all there", () => {
    expect(vectors).toHaveLength(28)
  })

  it.each(vectors)("$name: every field that is needed reads as the sheet says", (vector) => {
    const bytes = bytesOf(vector)
    const expected = vector.expect as Fields
    const header = expected["header"] as unknown as Readonly<Record<string, number | string>>
    expect(problemWith(bytes)).toBeUndefined()
    const read = newHeader()
    readHeader(bytes, read)
    const { layout, ...rest } = read
    expect({ ...rest, format: layout.format, sessionUid: String(rest.sessionUid) }).toEqual({
      format: header["packetFormat"],
      gameYear: header["gameYear"],
      packetId: header["packetId"],
      sessionUid: header["sessionUID"],
      sessionTime: header["sessionTime"],
      frame: header["frameIdentifier"],
      overallFrame: header["overallFrameIdentifier"],
      player: header["playerCarIndex"]
    })
    const [was, should] = readings[rest.packetId]!(bytes, layout, expected)
    expect(was).toEqual(should)
  })

  it("reads the twentieth lap of a history too", () => {
    const vector = vectors.find(({ name }) => name === "2025 SessionHistory")!
    const bytes = Buffer.from(bytesOf(vector))
    bytes[30] = 100
    expect(readHistoryLap(bytes, 20)).toEqual(historyOf(elementOf(vector.expect["laps"], 19)))
    expect([readHistoryLap(bytes, 0), readHistoryLap(bytes, 101)]).toEqual([undefined, undefined])
  })

  it.each(vectors)("$name: the emulator's tables write the same bytes", (vector) => {
    const golden = bytesOf(vector)
    const { cars: ofCars, header, laps: ofLaps, ...head } = vector.expect as Readonly<Record<string, Values>>
    const shape = Object.values(shapesOf(golden.readUInt16LE(0) as F1Format)).find(
      ({ id }) => id === golden[6]
    )!
    const packet = new Packet(shape)
    expect(packet.bytes).toHaveLength(golden.length)
    // No byte is right before it is written.
    packet.bytes.set(golden.map((byte) => byte ^ 0xff))
    const uid = BigInt(header!["sessionUID"]!)
    packet.header({
      ...header,
      sessionUIDLow: Number(uid & 0xffffffffn),
      sessionUIDHigh: Number(uid >> 32n)
    })
    packet.head(head as unknown as Values)
    packet.tail(head as unknown as Values)
    const elements = (ofCars ?? ofLaps ?? {}) as unknown as Readonly<Record<string, Values>>
    for (const car of cars) if (elements[car] !== undefined) packet.element(car, elements[car])
    const right = packet.bytes.filter((byte, n) => byte === golden[n]).length
    expect(right).toBe(29 + writtenBytes(vector))
  })
})

/** Bytes after the header that the emulator's tables have fields for, in elements 0 and 19, head and tail. */
const writtenBytes = ({ expect: { header } }: GoldenVector): number => {
  const { packetFormat, packetId } = header as { readonly packetFormat: number; readonly packetId: number }
  const by = (...sizes: readonly [number, number, number, number]) => sizes[packetFormat - 2023]!
  switch (packetId) {
    case 0:
      return 2 * by(60, 60, 60, 54)
    case 1:
      // What stands before the first array, but for two bytes.
      return 17
    case 2:
      return 2 * by(50, 57, 57, 57) + 2
    case 4:
      // Without the zero after the name and the liveries' colours.
      return 1 + 2 * by(57, 59, 44, 47)
    case 6:
      return 2 * by(60, 60, 60, 59) + 3
    case 7:
      return 2 * by(55, 55, 55, 59)
    default:
      return 7 + 2 * 14
  }
}

describe("datagrams of F1", () => {
  it.skipIf(!existsSync(layoutsFile))("have the sheet's sizes", () => {
    const sheet = JSON.parse(readFileSync(layoutsFile, "utf8")) as {
      readonly formats: Readonly<
        Record<
          string,
          {
            readonly cars: number
            readonly packets: Readonly<Record<string, { readonly datagramSize: number }>>
          }
        >
      >
    }
    for (const format of formats) {
      const { cars: count, packets } = sheet.formats[format]!
      const { cars: ours, sizes } = layoutOf(format)!
      expect(ours).toBe(count)
      expect(Object.entries(packets).map(([id, { datagramSize }]) => [Number(id), datagramSize])).toEqual(
        sizes.flatMap((size, id) => (size !== undefined && String(id) in packets ? [[id, size]] : []))
      )
    }
  })

  const reasonOf = (bytes: Buffer) => {
    const game = new Game()
    game.hear(bytes)
    expect(protocol.recognises(bytes)).toBe(false)
    return game.said.flatMap((event) => (event._tag === "Refused" ? [event.reason] : []))
  }
  const whole = new Game(2025).packet("motion")
  const with16 = (at: number, value: number) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt16LE(value, at)
    return bytes
  }

  it("are recognised by their format, packet and length", () => {
    expect(protocol.recognises(whole)).toBe(true)
    expect(protocol.hint?.(whole)).toBeUndefined()
    expect(reasonOf(whole.subarray(0, 20))).toEqual(["an F1 packet has at least 29 bytes, not 20"])
    expect(reasonOf(whole.subarray(0, 700))).toEqual(["packet 0 of F1 format 2025 has 1349 bytes, not 700"])
    expect(reasonOf(with16(6, 16))).toEqual(["F1 format 2025 has no packet 16"])
    expect(reasonOf(with16(6, 99))).toEqual(["F1 format 2025 has no packet 99"])
    expect(reasonOf(with16(0, 2027))).toEqual(["F1 format 2027 is not one of 2023, 2024, 2025, 2026"])
  })

  it("of a format that is not read say which to choose", () => {
    const old = Buffer.alloc(1464)
    old.writeUInt16LE(2022, 0)
    old.set([1, 3, 1, 6], 2)
    expect(protocol.hint?.(old)).toBe(
      "F1 format 2022 is too old: choose 2023 to 2026 as the UDP format in the game's telemetry settings"
    )
    expect(protocol.hint?.(with16(0, 2027))).toMatch("F1 format 2027 is not known: choose 2023 to 2026")
    // Other simulators' bytes, and our own that were cut.
    expect(
      [Buffer.alloc(1), Buffer.alloc(264), whole.subarray(0, 700)].map((bytes) => protocol.hint?.(bytes))
    ).toEqual([undefined, undefined, undefined])
  })

  it("do no harm, whatever their bytes", () => {
    const seeds = ([2023, 2024, 2025, 2026] as const).flatMap((format) => {
      const game = new Game(format)
      const heard: Array<Buffer> = []
      game.hear = (...datagrams) => void heard.push(...datagrams)
      game.names()
      for (let n = 0; n < 4; n++) game.tick()
      game.cross(90_000)
      game.history(1, { lapTimeInMS: 90_000 })
      game.event("SEND")
      return heard
    })
    fuzz(() => protocol.interpreter(linkOptions()), [...seeds, ...vectors.map(bytesOf)], 20_000)
  })
})
