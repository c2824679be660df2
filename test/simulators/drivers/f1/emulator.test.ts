/** The emulator's games: names of theirs for our circuits and vehicles, and the rhythm of each packet. */
import { describe, expect, it } from "vitest"
import { circuitNamed } from "../../../../simulator/model/Circuit.ts"
import { vehicleNamed } from "../../../../simulator/model/vehicles.ts"
import { eventsOf } from "../suite/events.ts"
import { drive } from "../suite/drive.ts"
import { kinds } from "./game.ts"

const [f1] = kinds

/** The driver's names of these. */
const names = (circuit: string, vehicle: string) => {
  const where = { circuit: circuitNamed(circuit)!, vehicle: vehicleNamed(vehicle)! }
  const { events } = drive(f1!, { ...where, laps: 1, rate: 10 })
  const { circuit: track, vehicle: car } = eventsOf(events, "SessionStarted")[0]!
  return [track, car]
}

describe("the emulators of F1", () => {
  it("name each of our circuits and vehicles after one of the games'", () => {
    expect([
      names("Hollin Moor", "Kestrel GT-R3"),
      names("Port Averno", "Wren Cup"),
      names("Cinder Bowl", "Merlin F-08"),
      names("Sankt Arven", "Merlin F-08")
    ]).toEqual([
      ["Silverstone", "Ferrari"],
      ["Monaco", "Haas"],
      ["Austria (Red Bull Ring)", "McLaren"],
      ["Spa", "McLaren"]
    ])
  })

  it("send each packet at its own rhythm", () => {
    const { datagrams, laps } = drive(f1!, { laps: 1, rate: 60 })
    const seconds = laps[0]!.end
    const perSecond = (id: number) => datagrams.filter((bytes) => bytes[6] === id).length / seconds
    for (const id of [0, 2, 6, 7]) expect(perSecond(id)).toBeCloseTo(60, -1)
    expect(perSecond(1)).toBeCloseTo(2, 0)
    expect(perSecond(4)).toBeCloseTo(0.2, 1)
    expect(perSecond(11)).toBeCloseTo(20, -1)
    const codes = datagrams.flatMap((bytes) => (bytes[6] === 3 ? [bytes.toString("latin1", 29, 33)] : []))
    expect([codes[0], codes.at(-1)]).toEqual(["SSTA", "SEND"])
    expect(codes.filter((code) => code === "BUTN").length).toBeGreaterThan(10)
    // After the end one history without a session's id, and silence.
    const [last, ...before] = datagrams.toReversed()
    expect([last![6], last!.readBigUInt64LE(7)]).toEqual([11, 0n])
    expect(before.every((bytes) => bytes.readBigUInt64LE(7) > 0n && bytes[27] === 19)).toBe(true)
  })
})
