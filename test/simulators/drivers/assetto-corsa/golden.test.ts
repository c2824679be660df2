/** Assetto Corsa: the golden packets, field by field. */
import { describe, expect, it } from "vitest"
import { problemWith } from "../../../../src/simulators/drivers/assetto-corsa/decode.ts"
import {
  answer,
  carInfo,
  name,
  request,
  spot
} from "../../../../src/simulators/drivers/assetto-corsa/layout.ts"
import type { Read } from "../../../../src/simulators/packets/numbers.ts"
import { encodeRequest } from "../../../../src/simulators/drivers/assetto-corsa/requests.ts"
import type { Struct } from "../../../../src/simulators/packets/Struct.ts"
import { bytesOf, goldenVectors, haveGolden } from "../interpreting.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere } from "../../../support/sharedData.ts"

/** The values that a table reads from a packet that is not refused. */
const readBy = (struct: Struct, bytes: Buffer) => {
  expect(problemWith(bytes)).toBeUndefined()
  return struct.values(bytes)
}

describe("golden packets", needing(goldenHere), () => {
  const vectors = haveGolden ? goldenVectors("assetto-corsa.json") : []
  const named = (begin: string) => vectors.filter(({ name }) => name.startsWith(begin))

  it("requests are ours, byte for byte", () => {
    const requests = named("client ")
    expect(requests).toHaveLength(4)
    requests.forEach((vector, n) => {
      const operation = (["handshake", "subscribeUpdates", "subscribeSpots", "dismiss"] as const)[n]!
      expect(encodeRequest(operation)).toEqual(bytesOf(vector))
      expect(request.values(bytesOf(vector))).toEqual(vector.expect)
    })
  })

  it("handshake answers", () => {
    const answers = named("handshake response")
    expect(answers).toHaveLength(3)
    for (const vector of answers) {
      const bytes = bytesOf(vector)
      expect(readBy(answer, bytes)).toEqual(vector.expect)
      // As far as the names go; garbage follows.
      const places = { carName: 0, driverName: 100, trackName: 208, trackConfig: 308 }
      for (const [field, at] of Object.entries(places)) {
        const written = name.encode(String(vector.expect[field]))
        expect(bytes.subarray(at, at + written.length)).toEqual(written)
      }
    }
  })

  it("car infos", () => {
    const infos = named("car info")
    expect(infos).toHaveLength(2)
    for (const vector of infos) {
      const bytes = bytesOf(vector)
      const { read } = carInfo
      // The document's names, and its arrays of wheels and of axes.
      const fields = Object.entries(vector.expect).flatMap(
        ([name, value]): ReadonlyArray<[string, unknown]> => {
          const field = name.replace(/_(.)/, (_, letter: string) => letter.toUpperCase())
          if (!Array.isArray(value)) return [[field, value]]
          return value.map((one, n) => [`${field}${value.length === 3 ? "XYZ"[n] : n + 1}`, one])
        }
      )
      expect(fields.map(([name]) => name).toSorted()).toEqual(Object.keys(read).toSorted())
      const events = Object.fromEntries(
        fields.map(([name, value]) => [
          name,
          name === "identifier" ? String(value).charCodeAt(0) : Number(value)
        ])
      )
      const readers: Readonly<Record<string, Read>> = read
      expect(Object.fromEntries(fields.map(([name]) => [name, readers[name]!(bytes)]))).toEqual(events)
      // Without garbage, and bytes that are no field.
      const written = Buffer.from(bytes)
      written.fill(0xff, 4, 26).fill(0xff, 28)
      carInfo.write(written, 0, events)
      expect(written).toEqual(bytes)
      expect(problemWith(bytes)).toBeUndefined()
    }
  })

  it("laps of any car", () => {
    const [vector] = named("lap")
    expect(readBy(spot, bytesOf(vector!))).toEqual(vector!.expect)
  })
})
