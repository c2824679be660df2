/**
 * BeamNG.drive as its own scripts send (lua/vehicle/protocols.lua, protocols/outgauge.lua, protocols/motionSim.lua, wheels.lua: a
 * dozen add-ons of others contain them). The gear is the gear's index plus 1, in a char; the speed is the wheels'; engTemp is
 * electrics.values.watertemp; outgauge.lua returns before it sets anything where there is no such value, and protocols.lua sends
 * the packet that it has filled with zeros before.
 */
import { expect, it } from "vitest"
import { motionSim, MAGIC } from "../../../../src/simulators/drivers/beamng/layout.ts"
import { protocol } from "../../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { outGaugeWithId } from "../../../../src/simulators/drivers/outgauge/layout.ts"
import type { FieldValues } from "../../../../src/simulators/packets/Struct.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { column, eventsOf as only, story } from "../suite/events.ts"
import { channelsIn } from "../suite/channels.ts"

const gauge = (values: FieldValues) => outGaugeWithId.bytes({ Car: "beam", ...values })
/** A car at 30 m/s. */
const motion = (n: number) =>
  motionSim.bytes({ format: MAGIC, positionX: n / 2, velocityX: 18, velocityY: 24 })
const eventsOf = (datagrams: ReadonlyArray<Buffer>, step = 1 / 60) =>
  interpret(protocol.interpreter(linkOptions()), datagrams, step)

it("has every reverse gear of a lorry as reverse", () => {
  const bytes = [255, 254, 0, 1, 13].map((Gear, n) => gauge({ Gear, RPM: 900 + n }))
  expect(column(eventsOf([motion(0), ...bytes]), "gear")).toEqual([-1, -1, -1, 0, 12])
})

it("takes the car's own speed from MotionSim if it can, also with the wheels locked", () => {
  const sent = Array.from({ length: 4 }, (_, n) => [motion(n), gauge({ Speed: 30 - 10 * n, RPM: n })])
  const events = eventsOf(sent.flat())
  for (const speed of column(events, "speed")) expect(speed).toBeCloseTo(108, 4)
  expect(channelsIn(events).get("beamng_wheel_speed")!.values.at(-1)).toBe(0)
  const first = eventsOf([gauge({ Speed: 0, RPM: 1 }), motion(0)])
  expect(column(first, "speed")[0]).toBeCloseTo(108, 4)
  const alone = eventsOf(Array.from({ length: 150 }, (_, n) => gauge({ Speed: 20, RPM: n })))
  expect(column(alone, "speed")[0]).toBe(72)
})

it("makes no point of the empty packets of a vehicle that is not ready", () => {
  const empty = Buffer.alloc(outGaugeWithId.size)
  expect(eventsOf(Array.from({ length: 150 }, () => empty))).toEqual([])
  const walking = Array.from({ length: 150 }, (_, n) => [motion(n), empty]).flat()
  const events = eventsOf(walking)
  expect(story(events)).toEqual(["SessionStarted", 150])
  expect(only(events, "Points")[0]!.batch.column("rpm").every(Number.isNaN)).toBe(true)
})

it("refuses packets that add-ons send to the same port", () => {
  const other = Buffer.alloc(176, 1)
  other.write("BNG2")
  expect(story(eventsOf([motion(0), gauge({ RPM: 1 }), other]))).toEqual(["SessionStarted", 1, "Refused"])
})
