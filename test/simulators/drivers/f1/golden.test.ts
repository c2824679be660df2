/** The sheet's golden bytes: what the driver reads from them, and what the emulator writes for their values. */
import { describe, expect, it } from "vitest"
import { type F1Format, shapesOf } from "../../../../simulator/emulators/f1/formats.ts"
import { F1Packet } from "../../../../simulator/emulators/f1/Packet.ts"
import type { FieldValues } from "../../../../simulator/emulators/f1/Struct.ts"
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
import { type Layout, layoutOf } from "../../../../src/simulators/drivers/f1/layout.ts"
import { bytesOf, type GoldenVector, goldenVectors, haveGolden } from "../interpreting.ts"
import { needing } from "../../../runner/needing.ts"
import { goldenHere } from "../../../runner/sharedData.ts"

type Fields = Readonly<Record<string, unknown>>

/** Of a long array the sheet gives the elements 0 and 19. */
const elementOf = (array: unknown, index: number) => (array as Readonly<Record<number, Fields>>)[index]!

const vectors = haveGolden ? goldenVectors("f1.json") : []
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

describe("golden bytes of F1", needing(goldenHere), () => {
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

  it.each([2023, 2024, 2025, 2026] as const)(
    "of format %i have their flags where the sheet says",
    (format) => {
      const written = (name: "lapData" | "participants" | "session", values: FieldValues) => {
        const shape = shapesOf(format)[name]
        const packet = new F1Packet(shape)
        packet.bytes.set(
          bytesOf(vectors.find((one) => one["format"] === format && one["packetId"] === shape.id)!)
        )
        if (name === "session") packet.head(values)
        else packet.element(19, values)
        return packet.bytes
      }
      const layout = layoutOf(format)!
      // Whatever is beside them: in the golden bytes they and their neighbours are neither 0 nor 1.
      const lap = (currentLapInvalid: number) =>
        readLapData(written("lapData", { currentLapInvalid }), layout, 19).invalid
      const mine = (myTeam: number) => readParticipant(written("participants", { myTeam }), layout, 19).myTeam
      const looking = (isSpectating: number) => readSession(written("session", { isSpectating })).isSpectating
      expect([lap(0), lap(1), mine(0), mine(1), looking(0), looking(1)]).toEqual([
        false,
        true,
        false,
        true,
        false,
        true
      ])
    }
  )

  it.each(vectors)("$name: the emulator's tables write the same bytes", (vector) => {
    const golden = bytesOf(vector)
    const {
      cars: ofCars,
      header,
      laps: ofLaps,
      ...head
    } = vector.expect as Readonly<Record<string, FieldValues>>
    const shape = Object.values(shapesOf(golden.readUInt16LE(0) as F1Format)).find(
      ({ id }) => id === golden[6]
    )!
    const packet = new F1Packet(shape)
    expect(packet.bytes).toHaveLength(golden.length)
    // No byte is right before it is written.
    packet.bytes.set(golden.map((byte) => byte ^ 0xff))
    const uid = BigInt(header!["sessionUID"]!)
    packet.header({
      ...header,
      sessionUIDLow: Number(uid & 0xffffffffn),
      sessionUIDHigh: Number(uid >> 32n)
    })
    packet.head(head as unknown as FieldValues)
    packet.tail(head as unknown as FieldValues)
    const elements = (ofCars ?? ofLaps ?? {}) as unknown as Readonly<Record<string, FieldValues>>
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
