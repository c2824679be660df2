/**
 * Format 2026 at the places of another program: f1-packets 2026.1.1 of PyPI (P403n1x87/f1-packets, MIT), whose structures a
 * script makes from EA's document. All 17 lengths of its packets are ours; of random bytes it read the same 602 numbers as
 * our tables.
 */
import { describe, expect, it } from "vitest"
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import type { Channel } from "../../../../src/domain/pointChannels.ts"
import { column } from "../suite/events.ts"
import { channelsIn } from "../suite/channels.ts"
import { Game, PLAYER } from "./packets.ts"

const HEADER_BYTES = 29
/** By f1-packets: the size of a car's part, and the offsets in it. */
const motion = { size: 54, worldPositionX: 0, worldPositionY: 4, worldPositionZ: 8, gForceLateral: 36 }
const lapData = { size: 57, currentLapTime: 4, lapDistance: 20, currentLapNum: 33 }
const telemetry = { size: 59, speed: 0, throttle: 2, steer: 6, brake: 10, gear: 15, engineRpm: 16 }
const participant = { size: 60, teamId: 5, name: 10 }

const placeIn = ({ size }: { readonly size: number }, head = 0) => HEADER_BYTES + head + size * PLAYER

const first = (events: ReadonlyArray<SimulatorEvent>, names: ReadonlyArray<Channel>) =>
  names.map((name) => column(events, name)[0])

describe("format 2026", () => {
  const game = new Game(2026)
  game.send("session", { values: { trackId: 42, trackLength: 5416 } })
  const cars = game.packet("participants")
  const car = placeIn(participant, 1)
  cars.writeUInt16LE(485, car + participant.teamId)
  cars.write("Zoë Ferrier\0", car + participant.name)
  game.deliver(cars)
  for (let n = 0; n < 3; n++) {
    const parts = game.parts()
    const moved = placeIn(motion)
    parts.motion.writeFloatLE(120.5, moved + motion.worldPositionX)
    parts.motion.writeFloatLE(3.25, moved + motion.worldPositionY)
    parts.motion.writeFloatLE(-40, moved + motion.worldPositionZ)
    // 2.5 g to the left, 1.2 g in braking, 0.3 g up.
    ;[2500, -1200, 300].forEach((force, i) =>
      parts.motion.writeInt16LE(force, moved + motion.gForceLateral + 2 * i)
    )
    const lap = placeIn(lapData)
    parts.lapData.writeUInt32LE(12_345, lap + lapData.currentLapTime)
    parts.lapData.writeFloatLE(678.5, lap + lapData.lapDistance)
    parts.lapData[lap + lapData.currentLapNum] = 4
    const driven = placeIn(telemetry)
    parts.telemetry.writeUInt16LE(301, driven + telemetry.speed)
    parts.telemetry.writeFloatLE(0.25, driven + telemetry.throttle)
    parts.telemetry.writeFloatLE(-0.5, driven + telemetry.steer)
    parts.telemetry.writeFloatLE(0.75, driven + telemetry.brake)
    parts.telemetry.writeInt8(-1, driven + telemetry.gear)
    parts.telemetry.writeUInt16LE(11_500, driven + telemetry.engineRpm)
    // MotionEx leads the rows of the group of the forces.
    game.deliver(parts.motion, parts.lapData, parts.telemetry, game.packet("motionEx"))
    game.advance()
  }

  it("has its points where f1-packets has them", () => {
    const driven = first(game.events, ["speed", "throttle", "steering", "brake", "gear", "rpm"])
    expect(driven).toEqual([301, 0.25, -0.5, 0.75, -1, 11_500])
    expect(first(game.events, ["position_x", "position_y", "position_z"])).toEqual([120.5, 40, 3.25])
  })

  it("names the season's cars and circuits", () => {
    expect(game.events.find(({ _tag }) => _tag === "SessionStarted")).toMatchObject({
      circuit: "Madrid",
      vehicle: "Audi 2026",
      driver: "Zoë Ferrier"
    })
  })

  /**
   * EA's document calls the forces quantised. Five programs of different authors that read this format divide by 1000:
   * two in Python, one each in C# and JavaScript, and a Chinese one.
   */
  it("has forces in thousandths of g", () => {
    const reported = channelsIn(game.events)
    const force = (name: string) => reported.get(name)!.values[0]
    expect(force("g_lateral")).toBeCloseTo(-2.5, 6)
    expect(force("g_longitudinal")).toBeCloseTo(-1.2, 6)
    expect(force("g_vertical")).toBeCloseTo(0.3, 6)
  })
})
