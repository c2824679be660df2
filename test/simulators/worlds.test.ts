/**
 * Every emulator's drive is recorded on the circuit that was driven, in its direction, and with steering to the inside of its
 * bends. Emulators take the axes and signs of their worlds from the sheets (World.ts), drivers have them in their own code.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { emulators } from "../../simulator/emulators/index.ts"
import { type Axes, inWorld, steeringIn, type World } from "../../simulator/emulators/World.ts"
import { fit, mirrored, reversed, steered } from "./captures/paths.ts"
import { scene } from "./drivers/emulating.ts"
import { recorded, signedArea } from "./drivers/suite/events.ts"
import { some } from "../support/runs.ts"
import { kinds, variants } from "./drivers/index.ts"
import { type Conditions, ride } from "./rides/ride.ts"

/** Hz. */
const RATE = 20
/** A good line and an idle machine, for a lap and some seconds, in which the lap's end is reported. */
const conditions: Conditions = {
  seed: 1,
  speed: 1,
  connectAt: 0,
  faults: { loss: 0, reorder: 0, duplicate: 0, garbage: 0 },
  frames: { seed: 7, rate: RATE },
  gameStalls: [],
  serviceStalls: [],
  bursts: [],
  room: 10_000,
  streamFirst: true,
  until: 52
}

const everyone = [...kinds, ...variants]

describe.each(some(everyone, 8).map((kind) => [kind.protocol, kind] as const))("%s", (protocol, kind) => {
  // A variant has its game's name first.
  const { world } = emulators.find((one) => protocol.split(" ")[0] === one.protocol)!

  it.effect("records the circuit as it was driven", () =>
    Effect.gen(function* () {
      const { driven, handed } = yield* ride(kind, conditions)
      const { batch } = recorded(handed.flatMap(({ what }) => (what === "lost" ? [] : what)))[0]!
      // A point a frame, or nearly; the first lap begins at the line.
      const lap = batch.slice(0, Math.round(driven[0]![0]!.lapTime * RATE))
      const way = { x: lap.column("position_x"), y: lap.column("position_y") }
      const { circuit } = scene
      const { rms, rotation, scale } = fit(way, circuit)
      expect(rms).toBeLessThan(circuit.halfWidth)
      expect(Math.abs(scale - 1)).toBeLessThan(0.02)
      // It is not turned either: ours is the bundled circuit itself.
      expect(Math.abs(rotation)).toBeLessThan(2)
      for (const wrong of [mirrored(way), reversed(mirrored(way))]) {
        expect(fit(wrong, circuit).rms).toBeGreaterThan(3 * circuit.halfWidth)
      }
      expect(signedArea(way.x, way.y) / signedArea(circuit.x, circuit.y)).toBeCloseTo(1, 1)
      const speed = batch.column("speed")
      const steering = batch.column("steering")
      const whole = { x: batch.column("position_x"), y: batch.column("position_y"), speed, steering }
      const { left, right, share } = steered(whole)
      expect(Math.min(left, right)).toBeGreaterThan(75)
      const isAbsent = world.steering === undefined || kind.expected.absent?.includes("steering") === true
      if (isAbsent) expect(steering.some((value) => Math.abs(value) > 0)).toBe(false)
      // Positions in whole metres do not show the bends by which the steering is judged.
      else if ((kind.expected.within?.["position_x"] ?? 0) < 0.5) expect(share).toBeGreaterThan(0.95)
    })
  )
})

const worldOf = (axes: Axes): World => ({ axes, steering: "left", source: "" })

describe("emulators", () => {
  it("are all tried above", () => {
    const tried = new Set(everyone.map(({ protocol }) => protocol))
    expect(emulators.map(({ protocol }) => protocol).filter((one) => !tried.has(one))).toEqual([])
  })

  it("state the sources of their axes and signs", () => {
    for (const { world } of emulators) expect(world.source).not.toBe("")
  })

  it("turn our axes into those of a world, and mirror only if it is left-handed", () => {
    expect(inWorld(worldOf("right-handed, z up"), 1, 2, 3)).toEqual([1, 2, 3])
    expect(inWorld(worldOf("right-handed, y up"), 1, 2, 3)).toEqual([1, 3, -2])
    expect(inWorld(worldOf("left-handed, y up"), 1, 2, 3)).toEqual([1, 3, 2])
    for (const axes of ["right-handed, z up", "right-handed, y up", "left-handed, y up"] as const) {
      const [a, b, c] = [
        inWorld(worldOf(axes), 1, 0, 0),
        inWorld(worldOf(axes), 0, 1, 0),
        inWorld(worldOf(axes), 0, 0, 1)
      ]
      const determinant =
        a[0] * (b[1] * c[2] - b[2] * c[1]) -
        a[1] * (b[0] * c[2] - b[2] * c[0]) +
        a[2] * (b[0] * c[1] - b[1] * c[0])
      expect(determinant).toBe(axes === "left-handed, y up" ? -1 : 1)
    }
    expect(steeringIn(worldOf("right-handed, y up"), 0.5)).toBe(-0.5)
  })
})
