/**
 * The worlds of the emulators, whose axes and signs are taken from the sheets (World.ts); drivers have them in their own code.
 * drivers/drivers.test.ts holds each driver's places and steering to the emulator's drive.
 */
import { describe, expect, it } from "vitest"
import { emulators } from "../../simulator/emulators/index.ts"
import { type Axes, inWorld, steeringIn, type World } from "../../simulator/emulators/World.ts"
import { kinds, variants } from "./drivers/index.ts"

const worldOf = (axes: Axes): World => ({ axes, steering: "left", source: "" })

describe("emulators", () => {
  it("are all tried with their drivers", () => {
    const tried = new Set([...kinds, ...variants].map(({ protocol }) => protocol))
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
