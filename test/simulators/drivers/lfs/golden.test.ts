import { describe, expect, it } from "vitest"
import { packetIn, shortOf } from "../../../../src/simulators/drivers/lfs/decode.ts"
import { carAt, carsIn } from "../../../../src/simulators/drivers/lfs/decodeCars.ts"
import { mainAt, problemWith } from "../../../../src/simulators/drivers/lfs/decodeOutSim.ts"
import { heard, MCI, sent } from "../../../../src/simulators/drivers/lfs/insim.ts"
import { compCar, motion } from "../../../../src/simulators/drivers/lfs/layout.ts"
import { outGauge, outGaugeWithId } from "../../../../src/simulators/drivers/outgauge/layout.ts"
import type { FieldValues } from "../../../../src/simulators/packets/Struct.ts"
import { numbersOf } from "../numbersOf.ts"
import { bytesOf, goldenVectors, haveGolden } from "../interpreting.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere } from "../../../support/sharedData.ts"

/** The values that are read from each vector, by the tables' names, which are those of the golden file. */
const decoded: Readonly<Record<string, (bytes: Buffer) => object>> = {
  IS_MCI: (bytes) => {
    const cars = carsIn(bytes) as number
    const at = carAt(bytes, cars, 7)
    expect([at, carAt(bytes, cars, 8)]).toEqual([4, -1])
    const { Sp3: _, ...one } = numbersOf(compCar, bytes, at)
    return { ...MCI.values(bytes), Info: [one] }
  },
  OutGauge: (bytes) => {
    const { Car, Display1, Display2 } = outGauge.readText
    const texts = { Car: Car(bytes), Display1: Display1(bytes), Display2: Display2(bytes) }
    return { ...numbersOf(outGauge, bytes), ...texts }
  },
  "OutGauge with ID": (bytes) => {
    const { ID, Time } = numbersOf(outGaugeWithId, bytes)
    return { Time, ID }
  },
  OutSim: (bytes) => {
    expect([problemWith(bytes), mainAt(bytes)]).toEqual([undefined, 0])
    return numbersOf(motion, bytes)
  }
}

const inSimValues = (bytes: Buffer): object => {
  const name = packetIn(bytes)
  return (name === undefined ? sent.ISI : heard[name]).values(bytes)
}

describe("the golden packets", needing(goldenHere), () => {
  it.each(haveGolden ? goldenVectors("lfs.json") : [])("$name", (vector) => {
    const bytes = bytesOf(vector)
    expect((decoded[vector.name] ?? inSimValues)(bytes)).toMatchObject(vector.expect)
  })

  it("of a client are the driver's own bytes", () => {
    const isi = goldenVectors("lfs.json").find(({ name }) => name === "IS_ISI (client)")!
    expect(sent.ISI.encode(isi.expect as FieldValues)).toEqual(bytesOf(isi))
  })

  it("too short by one unit are refused", () => {
    for (const vector of goldenVectors("lfs.json")) {
      if (!vector.name.startsWith("IS_") || vector.name === "IS_ISI (client)") continue
      const whole = bytesOf(vector)
      const bytes = whole.subarray(0, Math.max(2, whole.length - 4))
      const refusal = bytes[1] === MCI.type ? carsIn(bytes) : shortOf(packetIn(bytes)!, bytes)
      expect([vector.name, typeof refusal]).toEqual([vector.name, "string"])
    }
  })
})
