/** Our tables read every field of the sheet's golden bytes, write the same bytes, and have the fields at the sheet's offsets. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { F1Packet } from "../../../../simulator/emulators/f1/Packet.ts"
import {
  Header,
  problemWith,
  readHistoryCar,
  readHistoryLap,
  readLap
} from "../../../../src/simulators/drivers/f1/decode.ts"
import {
  type F1Format,
  formats,
  HEADER_BYTES,
  headerStruct,
  layoutOf,
  type PacketName
} from "../../../../src/simulators/drivers/f1/layout.ts"
import { newSample } from "../../../../src/simulators/EventBuffer.ts"
import type { Field, FieldValues, Struct } from "../../../../src/simulators/packets/Struct.ts"
import type { Moment } from "../../../../src/simulators/timekeeping/Moment.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere, sharedFolder } from "../../../support/sharedData.ts"
import { bytesOf, type GoldenVector, goldenVectors, haveGolden } from "../interpreting.ts"
import { running } from "./packets.ts"

type Fields = Readonly<Record<string, unknown>>

/** The elements of a long array that the sheet gives. */
const elements = [0, 19]
const elementsOf = ({ expect: { cars, laps } }: GoldenVector) =>
  (cars ?? laps) as Readonly<Record<number, Fields>> | undefined

const vectors = haveGolden ? goldenVectors("f1.json") : []

const packetOf = ({ format, packetId }: GoldenVector) =>
  Object.values(layoutOf(Number(format))!.packets).find(({ id }) => id === packetId)!

/** All that a table decodes, in the sheet's form: a 64-bit number in digits. */
const readBy = (struct: Struct<Field>, bytes: Buffer, at: number): Fields =>
  Object.fromEntries(
    Object.entries(struct.values(bytes, at))
      .filter(([, value]) => typeof value !== "object")
      .map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value])
  )

/** The sheet's values that are no arrays, no structures and no colours of a livery. */
const plain = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => typeof value !== "object" && !name.includes("."))
  )

/** The number of a table's bytes, without fields that are not decoded. */
const bytesIn = ({ fields, size }: { readonly fields: ReadonlyArray<Field>; readonly size: number }) =>
  size - fields.reduce((sum, [, type]) => sum + (typeof type === "number" ? type : 0), 0)

const vectorOf = (name: string) => vectors.find((vector) => vector.name === name)!

const ms = (fields: Fields, sector: number) =>
  Number(fields[`sector${sector}TimeMSPart`]) + 60_000 * Number(fields[`sector${sector}TimeMinutesPart`])

/** The values that are read of the car 19. */
const lapOf = (bytes: Buffer, format: F1Format) => {
  const sample = newSample()
  const moment: Moment = { time: 0, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  readLap(bytes, layoutOf(format)!, 19, moment, sample)
  return { moment, sample }
}

describe("golden bytes of F1", needing(goldenHere), () => {
  it("are all there", () => {
    expect(vectors).toHaveLength(28)
  })

  it.each(vectors)("$name: every field reads as in the sheet", (vector) => {
    const bytes = bytesOf(vector)
    expect(problemWith(bytes)).toBeUndefined()
    expect(readBy(headerStruct, bytes, 0)).toEqual(vector.expect["header"])
    const packet = packetOf(vector)
    const around = {
      ...readBy(packet.head, bytes, HEADER_BYTES),
      ...readBy(packet.tail, bytes, packet.tailAt)
    }
    // Our tables end where no field matters to us any more.
    expect(plain(vector.expect)).toMatchObject(around)
    for (const element of elementsOf(vector) === undefined ? [] : elements) {
      const fields = elementsOf(vector)![element]
      const read = fields === undefined ? {} : readBy(packet.element, bytes, packet.at(element))
      expect(read).toEqual(plain(fields ?? {}))
    }
  })

  it.each(vectors)("$name: the same bytes are written", (vector) => {
    const golden = bytesOf(vector)
    const layout = packetOf(vector)
    const packet = new F1Packet(layout)
    expect(packet.bytes).toHaveLength(golden.length)
    // No byte is right before it is written.
    packet.bytes.set(golden.map((byte) => byte ^ 0xff))
    packet.header(vector.expect["header"] as FieldValues)
    packet.head(plain(vector.expect) as FieldValues)
    packet.tail(plain(vector.expect) as FieldValues)
    let written = HEADER_BYTES + bytesIn(layout.head) + bytesIn(layout.tail)
    for (const element of elements) {
      const fields = elementsOf(vector)?.[element]
      if (fields === undefined) continue
      packet.element(element, fields as FieldValues)
      written += bytesIn(layout.element)
    }
    expect(packet.bytes.filter((byte, n) => byte === golden[n]).length).toBe(written)
  })

  it("are read into a header, a lap and its history", () => {
    const bytes = bytesOf(vectorOf("2025 LapData"))
    const header = new Header()
    header.read(bytes)
    expect(header).toMatchObject({ gameYear: 25, packetId: 2, layout: { format: 2025 } })
    const lap = elementsOf(vectorOf("2025 LapData"))![19]!
    const { moment, sample } = lapOf(bytes, 2025)
    expect(moment).toEqual({
      time: 0,
      lastLap: Number(lap["lastLapTimeInMS"]) / 1000,
      clock: Number(lap["currentLapTimeInMS"]) / 1000,
      sector1: ms(lap, 1) / 1000,
      sector2: ms(lap, 2) / 1000,
      lapNumber: lap["currentLapNum"],
      valid: lap["currentLapInvalid"] === 0 && ![2, 3].includes(Number(lap["driverStatus"])),
      isInPit: lap["pitStatus"] !== 0,
      isOver: lap["resultStatus"] === 3
    })
    expect(sample.lapDistance).toBe(lap["lapDistance"])
    const history = Buffer.from(bytesOf(vectorOf("2025 SessionHistory")))
    layoutOf(2025)!.packets.sessionHistory.head.write(history, HEADER_BYTES, { numLaps: 100 })
    const past = elementsOf(vectorOf("2025 SessionHistory"))![19]!
    expect(readHistoryCar(history)).toBe(vectorOf("2025 SessionHistory").expect["carIdx"])
    expect(readHistoryLap(history, 20)).toEqual({
      lapTime: Number(past["lapTimeInMS"]) / 1000,
      sectors: [1, 2, 3].map((sector) => ms(past, sector) / 1000),
      valid: (Number(past["lapValidBitFlags"]) & 1) === 1
    })
    expect([readHistoryLap(history, 0), readHistoryLap(history, 101)]).toEqual([undefined, undefined])
  })

  it.each(formats)("of format %i have their flags at the sheet's places", (format) => {
    const { lapData } = layoutOf(format)!.packets
    const valid = (currentLapInvalid: number) => {
      const packet = new F1Packet(lapData)
      const golden = vectors.find((one) => one["format"] === format && one["packetId"] === lapData.id)!
      // Whatever their neighbours are: in the golden bytes, they and their neighbours are neither 0 nor 1.
      packet.bytes.set(bytesOf(golden))
      packet.element(19, { currentLapInvalid })
      return lapOf(packet.bytes, format).moment.valid
    }
    expect([valid(0), valid(1)]).toEqual([true, false])
  })
})

interface SheetField {
  readonly name: string
  readonly offset: number
  readonly type?: string
  readonly element?: ReadonlyArray<SheetField>
}

/** Whether a number of our table begins at the sheet's offset: a byte there changes it, and the byte before does not. */
const found = (struct: Struct<Field>, [name, , offset]: readonly [string, string, number]) => {
  const read = (struct.read as Readonly<Record<string, (bytes: Buffer) => number>>)[name]
  if (read === undefined) return undefined
  const bytes = Buffer.alloc(struct.size)
  bytes[offset] = 1
  const before = Buffer.alloc(struct.size)
  before[offset - 1] = 1
  return read(bytes) !== 0 && (offset === 0 || read(before) === 0)
}

const reported = (name: PacketName, values: FieldValues) => {
  const game = running()
  game.send(name, { values })
  game.tick()
  return game.events.length
}

describe("tables of F1", () => {
  it.each(formats)("of format %i have each field at the sheet's offset", needing(goldenHere), (format) => {
    const sheet = JSON.parse(readFileSync(sharedFolder("protocols/f1-layouts.json"), "utf8")) as {
      readonly formats: Readonly<
        Record<
          string,
          { readonly packets: Readonly<Record<string, { readonly fields: ReadonlyArray<SheetField> }>> }
        >
      >
    }
    const numbers = (fields: ReadonlyArray<SheetField>) =>
      fields.flatMap(({ name, offset, type }) => (type === undefined ? [] : [[name, type, offset] as const]))
    let seen = 0
    for (const [id, { fields }] of Object.entries(sheet.formats[format]!.packets)) {
      const packet = Object.values(layoutOf(format)!.packets).find((one) => String(one.id) === id)!
      const element = fields.find(({ element, name }) => element !== undefined && /^(cars|laps)$/.test(name))
      const checks = [
        ...numbers(fields).map((field) => found(packet.head, field)),
        ...numbers(element?.element ?? []).map((field) => found(packet.element, field))
      ].filter((check) => check !== undefined)
      expect(checks.every(Boolean)).toBe(true)
      seen += checks.length
    }
    expect(seen).toBeGreaterThan(100)
  })

  it.each(formats)("of format %i are as long as its datagrams", (format) => {
    const { packets, sizes } = layoutOf(format)!
    for (const [name, { id, size }] of Object.entries(packets)) {
      // Packet 16 is of 2026 alone.
      const wanted = name === "carTelemetry2" && format < 2026 ? size : sizes[id]
      expect([name, size]).toEqual([name, wanted])
    }
  })

  it("are read up to the flag of a spectator", () => {
    expect(reported("session", { isSpectating: 1 })).toBe(0)
    expect(reported("session", { isSpectating: 0 })).toBeGreaterThan(0)
  })
})
