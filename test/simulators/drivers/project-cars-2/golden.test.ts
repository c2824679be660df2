/** Project CARS 2 and Automobilista 2: all values of the golden packets, and each field at the sheet's offset. */
import { describe, expect, it } from "vitest"
import {
  basePacket,
  builds,
  gameState,
  participant,
  participantAt,
  participants,
  raceDefinition,
  stats,
  telemetryOf,
  timings,
  timingsTick,
  vehicle,
  vehicleClass
} from "../../../../src/simulators/drivers/project-cars-2/layout.ts"
import { protocol } from "../../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { type Field, type FieldValues, Struct } from "../../../../src/simulators/packets/Struct.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere } from "../../../support/sharedData.ts"
import { bytesOf, type GoldenVector, goldenVectors, haveGolden } from "../interpreting.ts"
import { type SheetField, sheetFields, sheetTelemetry } from "./sheet.ts"

type Values = Readonly<Record<string, number | string | boolean>>

const vectors = haveGolden ? goldenVectors("pc2-ams2.json") : []

/** The structures that a golden packet consists of, with their offsets. */
const partsOf = (
  { name }: GoldenVector,
  bytes: Buffer
): ReadonlyArray<readonly [Struct<Field>, at: number]> => {
  if (name.startsWith("telemetry")) return [[telemetryOf(bytes), 0]]
  if (name === "race definition") return [[raceDefinition, 0]]
  const all = Array.from({ length: 32 }, (_, index) => [participant, participantAt(index)] as const)
  return [[timings, 0], [timingsTick, 0], ...all]
}

const topBit = (isSet: unknown, bit: number, value: unknown) => (isSet === true ? bit : 0) | Number(value)

/** Values of the golden file by the names of the tables. Those that share a byte are separate in the file. */
const inTable = (reported: Values): Values => {
  const { active, carIndex, gear, isHuman, lapDistance, lapInvalid, numGears, racePosition, ...one } =
    reported
  const { raceState, timedMinutes, ...rest } = one
  if (gear !== undefined) return { ...rest, gearNumGears: (Number(numGears) << 4) | Number(gear) }
  if (timedMinutes !== undefined) return { ...rest, lapsTimeInEvent: 0x8000 | (Number(timedMinutes) / 5) }
  if (lapDistance === undefined) return rest
  return {
    ...rest,
    currentLapDistance: lapDistance,
    racePosition: topBit(active, 0x80, racePosition),
    carIndex: topBit(isHuman, 0x8000, carIndex),
    raceState: topBit(lapInvalid, 0x80, raceState)
  }
}

describe("golden packets of Project CARS 2", needing(goldenHere), () => {
  it.each(vectors)("$name has the values of the golden file", (vector) => {
    const bytes = bytesOf(vector)
    expect(protocol.recognises(bytes)).toBe(true)
    const { participant3, ...reported } = vector.expect
    const [[first, at]] = partsOf(vector, bytes) as readonly [readonly [Struct<Field>, number]]
    expect(first.values(bytes, at)).toMatchObject(inTable(reported as Values))
    if (participant3 === undefined) return
    expect(participant.values(bytes, participantAt(3))).toMatchObject(inTable(participant3 as Values))
  })

  it.each(vectors)(
    "$name: the same bytes are written, also those of values that the file leaves out",
    (vector) => {
      const golden = bytesOf(vector)
      // No byte is right before it is written.
      const written = Buffer.from(golden.map((byte) => byte ^ 0xff))
      const parts = partsOf(vector, golden)
      for (const [struct, at] of parts) struct.write(written, at, struct.values(golden, at) as FieldValues)
      // 556 bytes are 555 and one that is left over.
      const end = golden.length === 556 ? 555 : golden.length
      expect(written.toString("hex", 0, end)).toBe(golden.toString("hex", 0, end))
    }
  )
})

/** The fields of a table behind the begin that all packets share. */
const placed = (struct: Struct<Field>): ReadonlyArray<SheetField> =>
  struct.fields
    .map(([name, type, , at], n) => ({
      name,
      type: String(type),
      offset: at ?? new Struct(struct.fields.slice(0, n)).size
    }))
    .filter(({ name }) => name !== "padding")
    .slice(struct.fields[0] === basePacket.fields[0] && struct !== basePacket ? basePacket.fields.length : 0)

/** The first word of the sheet's name, in our spelling; a plural where ours has the element's number. */
const wordOf = ({ name }: SheetField): string =>
  name.split(" ")[0]!.replace("-", "").replace("entre", "enter").replace(/s$/, "").toLowerCase()

const isCalled = (ours: SheetField, sheet: SheetField): boolean => {
  const name = ours.name.replace("Centre", "Center").toLowerCase()
  return name.includes(wordOf(sheet)) || wordOf(sheet).includes(name)
}

const wrongNames = (ours: ReadonlyArray<SheetField>, sheet: ReadonlyArray<SheetField>) =>
  sheet.filter((field) => !ours.some((one) => one.offset === field.offset && isCalled(one, field)))

const spots = (fields: ReadonlyArray<SheetField>) => fields.map(({ offset, type }) => `${type} @${offset}`)

describe("tables of Project CARS 2", needing(goldenHere), () => {
  it("have each field of telemetry at the sheet's offset", () => {
    const sheet = sheetTelemetry()
    expect(sheet.length).toBeGreaterThan(140)
    expect(spots(placed(builds[0]))).toEqual(spots(sheet))
    expect(wrongNames(placed(builds[0]), sheet)).toEqual([])
    expect(builds.map(({ size }) => size)).toEqual([559, 555, 538])
  })

  it.each([
    ["base", basePacket, 2, 0],
    ["race definition", raceDefinition, 4, 0],
    ["participants", participants, 5, 0],
    ["timings", new Struct<Field>([...timings.fields, ...timingsTick.fields]), 6, 0],
    ["participant", participant, 6, 1],
    ["stats", stats, 7, 1],
    ["vehicle", vehicle, 8, 1],
    ["class", vehicleClass, 8, 2],
    ["game state", gameState, 9, 0]
  ] as ReadonlyArray<readonly [string, Struct<Field>, number, number]>)(
    "have each field of the %s at the sheet's offset",
    (_, struct, section, part) => {
      const sheet = sheetFields(section, part)
      const ours = placed(struct)
      // For an array, the sheet has the first element.
      const named = ours.filter(({ offset }) => sheet.some((field) => field.offset === offset))
      expect(spots(named)).toEqual(spots(sheet))
      expect(wrongNames(ours, sheet)).toEqual([])
      const others = ours.filter((one) => !named.includes(one))
      expect(others.filter(({ name }) => !/(\d|[YZ])$/.test(name))).toEqual([])
    }
  )
})
