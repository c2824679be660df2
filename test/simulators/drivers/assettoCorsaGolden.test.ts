/** Assetto Corsa: the golden packets, field by field. */
import { describe, expect, it } from "vitest"
import { decode } from "../../../src/simulators/drivers/assetto-corsa/decode.ts"
import { carInfo } from "../../../src/simulators/drivers/assetto-corsa/layout.ts"
import type { Read } from "../../../src/simulators/packets/numbers.ts"
import { encodeRequest } from "../../../src/simulators/drivers/assetto-corsa/layout.ts"
import { bytesOf, goldenVectors, haveGolden } from "./interpreting.ts"
import { needing } from "../../runner/needing.ts"
import { goldenHere } from "../../runner/sharedData.ts"

describe("golden packets", needing(goldenHere), () => {
  const vectors = haveGolden ? goldenVectors("assetto-corsa.json") : []
  const named = (begin: string) => vectors.filter(({ name }) => name.startsWith(begin))

  it("requests are ours, byte for byte", () => {
    const requests = named("client ")
    expect(requests).toHaveLength(4)
    requests.forEach((vector, n) => {
      const operation = (["handshake", "subscribeUpdate", "subscribeSpot", "dismiss"] as const)[n]!
      expect(encodeRequest(operation)).toEqual(bytesOf(vector))
    })
  })

  it("handshake answers", () => {
    const answers = named("handshake response")
    expect(answers).toHaveLength(3)
    for (const vector of answers) {
      expect(decode(bytesOf(vector))).toEqual({ kind: "answer", ...vector.expect })
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
      const said = Object.fromEntries(
        fields.map(([name, value]) => [
          name,
          name === "identifier" ? String(value).charCodeAt(0) : Number(value)
        ])
      )
      const readers: Readonly<Record<string, Read>> = read
      expect(Object.fromEntries(fields.map(([name]) => [name, readers[name]!(bytes)]))).toEqual(said)
      // Garbage aside, and what is no field.
      const written = Buffer.from(bytes)
      written.fill(0xff, 4, 26).fill(0xff, 28)
      carInfo.write(written, 0, said)
      expect(written).toEqual(bytes)
      expect(decode(bytes)).toEqual({
        kind: "car",
        bytes,
        speed: said["speedKmh"],
        isInPit: said["isInPit"] !== 0,
        lapTime: said["lapTime"],
        lastLap: said["lastLap"],
        lapCount: said["lapCount"],
        gas: said["gas"],
        brake: said["brake"],
        rpm: said["engineRPM"],
        steer: said["steer"],
        gear: said["gear"],
        x: said["carCoordinatesX"],
        y: said["carCoordinatesY"],
        z: said["carCoordinatesZ"],
        place: said["carPositionNormalized"]
      })
    }
  })

  it("laps of any car", () => {
    const [vector] = named("lap")
    expect(decode(bytesOf(vector!))).toEqual({ kind: "spot", ...vector!.expect })
  })
})
