/** Drivers convert any place and any steering in a packet into our axes, exact to the bit, and mirror nothing. */
import { expect, it } from "vitest"
import { FastCheck as fc } from "effect"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { encrypt } from "../../../simulator/emulators/gt7/packets.ts"
import * as outputs from "../../../simulator/emulators/lfs/outputs.ts"
import { Gt7Interpreter } from "../../../src/simulators/drivers/gt7/Gt7Interpreter.ts"
import { answers, car as accCar, link as accLink, update } from "./acc/link.ts"
import { answer, car, link } from "./assetto-corsa/link.ts"
import { interpret } from "./interpreting.ts"
import { LfsWorld, OURS } from "./lfs/world.ts"
import { eventsOf, pointAt } from "./suite/events.ts"

const float = fc.float({ noNaN: true, noDefaultInfinity: true })
/** All places that 32 bits of 1/65536 m can express. */
const metres = fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })

const pointOf = (events: ReadonlyArray<SimulatorEvent>) => pointAt(eventsOf(events, "Points")[0]!.batch, 0)
const placeOf = (events: ReadonlyArray<SimulatorEvent>) => {
  const point = pointOf(events)
  return [point["position_x"], point["position_y"], point["position_z"]]
}

it("Assetto Corsa's x, y (up) and z", () => {
  fc.assert(
    fc.property(float, float, float, (x, y, z) => {
      expect(placeOf(link().receiveAll([answer(), car(0, 10, { x, y, z })]))).toEqual([x, -z, y])
    })
  )
})

it("the two coordinates that Assetto Corsa Competizione reports of the ground", () => {
  fc.assert(
    fc.property(float, float, (worldPosX, worldPosY) => {
      const driven = accCar(0, 500, { worldPosX, worldPosY })
      const [x, y] = placeOf(accLink().receiveAll([...answers, update(1000), driven]))
      expect([x, y]).toEqual([worldPosX, -worldPosY])
    })
  )
})

it("Gran Turismo 7's x, y (up) and z, and its wheel, which is positive to the left", () => {
  fc.assert(
    fc.property(
      float,
      float,
      float,
      float,
      fc.double({ min: 90, max: 3600, noNaN: true }),
      (x, y, z, wheel, lock) => {
        const plain = Buffer.alloc(316)
        plain.write("0S7G", "latin1")
        for (const [n, value] of [x, y, z].entries()) plain.writeFloatLE(value, 4 + 4 * n)
        plain.writeInt16LE(1, 0x74)
        plain.writeInt16LE(1, 0x8e)
        plain.writeInt32LE(3582, 0x124)
        plain.writeFloatLE(wheel, 0x128)
        const events = interpret(new Gt7Interpreter(lock), [encrypt(plain, "B")])
        expect(placeOf(events)).toEqual([x, -z, y])
        const { steering } = pointOf(events)
        expect(Math.abs(steering!)).toBeLessThanOrEqual(1)
        expect(Object.is(steering, -0)).toBe(false)
        const share = wheel / ((lock / 360) * Math.PI)
        expect(steering).toBeCloseTo(-Math.min(1, Math.max(-1, share)), 6)
      }
    )
  )
})

it("Live for Speed's x, y and z (up), and its wheel, which is positive to the left", () => {
  fc.assert(
    fc.property(metres, metres, metres, float, (x, y, z, wheel) => {
      const world = new LfsWorld().begun().sim(0)
      const bytes = outputs.outSim2({
        sessionTime: 1,
        speed: 0,
        rpm: 0,
        gear: 0,
        heading: 0,
        carValue: () => 0
      } as unknown as Parameters<typeof outputs.outSim2>[0])
      for (const [n, value] of [x, y, z].entries()) bytes.writeInt32LE(value, 60 + 4 * n)
      bytes.writeFloatLE(wheel, 80)
      const { events } = world.udp(bytes).gauge(1, OURS).end()
      expect(placeOf(events)).toEqual([x / 65_536, y / 65_536, z / 65_536])
      const { steering } = pointOf(events)
      expect(Object.is(steering, -0)).toBe(false)
      expect(steering).toBeCloseTo(-Math.min(1, Math.max(-1, wheel / (Math.PI / 5))), 6)
    })
  )
})
