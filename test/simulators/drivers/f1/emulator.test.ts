/** The emulator's games: names of theirs for our circuits and vehicles, and the rhythm of each packet. */
import { describe, expect, it } from "vitest"
import { F1Emulator } from "../../../../simulator/emulators/f1/F1Emulator.ts"
import { circuitNamed } from "../../../../simulator/model/Circuit.ts"
import { vehicleNamed } from "../../../../simulator/model/vehicles.ts"
import { eventsOf } from "../suite/events.ts"
import { F1Interpreter } from "../../../../src/simulators/drivers/f1/F1Interpreter.ts"
import { emulate, scene } from "../emulating.ts"

/** The driver's names of these. */
const names = (circuit: string, vehicle: string) => {
  const where = { circuit: circuitNamed(circuit)!, vehicle: vehicleNamed(vehicle)! }
  const { events } = emulate({
    emulator: new F1Emulator({ ...scene, ...where }, 2025),
    interpreter: () => new F1Interpreter(),
    frames: { ...where, laps: 1, rate: 10 }
  })
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
    const { arrived, driven } = emulate({
      emulator: new F1Emulator(scene, 2025),
      interpreter: () => new F1Interpreter(),
      frames: { laps: 1, rate: 60 }
    })
    const seconds = driven[0]![0]!.end
    const perSecond = (id: number) => arrived.filter(({ bytes }) => bytes[6] === id).length / seconds
    for (const id of [0, 2, 6, 7]) expect(perSecond(id)).toBeCloseTo(60, -1)
    expect(perSecond(1)).toBeCloseTo(2, 0)
    expect(perSecond(4)).toBeCloseTo(0.2, 1)
    expect(perSecond(11)).toBeCloseTo(20, -1)
    const codes = arrived.flatMap(({ bytes }) => (bytes[6] === 3 ? [bytes.toString("latin1", 29, 33)] : []))
    expect([codes[0], codes.at(-1)]).toEqual(["SSTA", "SEND"])
    expect(codes.filter((code) => code === "BUTN").length).toBeGreaterThan(10)
    // After the end one history without a session's id, and silence.
    const [last, ...before] = arrived.map(({ bytes }) => bytes).reverse()
    expect([last![6], last!.readBigUInt64LE(7)]).toEqual([11, 0n])
    expect(before.every((bytes) => bytes.readBigUInt64LE(7) > 0n && bytes[27] === 19)).toBe(true)
  })
})
