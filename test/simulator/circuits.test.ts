import { describe, expect, it } from "vitest"
import { crossing } from "../../src/recording/laps/lineCrossing.ts"
import { buildCircuit, circuitNamed, circuitNames } from "../../simulator/model/Circuit.ts"
import { curvature } from "../../simulator/model/curvature.ts"

const energy = (bend: Float64Array) => bend.reduce((sum, k) => sum + k * k, 0)

const circuits = circuitNames.map((name) => circuitNamed(name)!)

it("there are at least four circuits of 1.2 to 6 km, found by name in any case", () => {
  expect(circuits.length).toBeGreaterThanOrEqual(4)
  for (const circuit of circuits) {
    expect(circuit.length).toBeGreaterThan(1200)
    expect(circuit.length).toBeLessThan(6000)
    expect(circuitNamed(circuit.name.toUpperCase())).toBe(circuit)
  }
  expect(circuitNamed("Nowhere")).toBeUndefined()
})

it("a drawing with a corner that does not fit is refused with the corner's number", () => {
  const square = [
    [0, 0, 400],
    [100, 0, 400],
    [100, 100, 400],
    [0, 100, 400]
  ] as const
  expect(() =>
    buildCircuit({
      name: "Too Tight",
      character: "",
      corners: square,
      start: 0.5,
      halfWidth: 5,
      easing: 10,
      heights: [0, 0, 0, 0]
    })
  ).toThrow("Too Tight: corner 1 does not fit")
})

describe.each(circuits)("$name", (circuit) => {
  const { nodes, normalX, normalY, step, x, y, z } = circuit
  const next = (n: number) => (n + 1) % nodes

  it("closes with equal steps, and rises and falls as a road does", () => {
    const wrong: Array<string> = []
    for (let n = 0; n < nodes; n++) {
      const way = Math.hypot(x[next(n)]! - x[n]!, y[next(n)]! - y[n]!)
      const slope = (z[next(n)]! - z[n]!) / way
      if (Math.abs(way - step) > 0.01 || Math.abs(slope) > 0.12)
        wrong.push(`node ${n}: ${way} m, slope ${slope}`)
    }
    expect(nodes % 3).toBe(0)
    expect(nodes * step).toBeCloseTo(circuit.length, 6)
    expect(wrong.slice(0, 5)).toEqual([])
  })

  it("turns once around, and nowhere abruptly", () => {
    const wrong: Array<string> = []
    const round = (column: Float64Array) =>
      Float64Array.from({ length: nodes + 16 }, (_, n) => column[n % nodes]!)
    const bend = curvature(round(x), round(y)).subarray(8, 8 + nodes)
    expect(Math.abs(bend.reduce((sum, k) => sum + k * step, 0))).toBeCloseTo(2 * Math.PI, 1)
    for (let n = 0; n < nodes; n++) {
      const easing = Math.abs(bend[next(n)]! - bend[n]!)
      if (Math.abs(bend[n]!) > 1 / 11 || easing > 0.02)
        wrong.push(`node ${n}: ${bend[n]!} 1/m, ${easing} a metre`)
    }
    expect(wrong.slice(0, 5)).toEqual([])
  })

  it("keeps its own width of grass between any two of its parts", () => {
    const wrong: Array<string> = []
    const room = (4 * circuit.halfWidth) ** 2
    const near = Math.ceil((8 * Math.PI * circuit.halfWidth) / step)
    for (let a = 0; a < nodes; a += 4) {
      for (let b = a + near; b < nodes && a + nodes - b > near; b += 4) {
        const apart = (x[a]! - x[b]!) ** 2 + (y[a]! - y[b]!) ** 2
        if (apart < room) wrong.push(`nodes ${a} and ${b} are ${Math.sqrt(apart)} m apart`)
      }
    }
    expect(wrong.slice(0, 5)).toEqual([])
  })

  it("has a racing line between its edges, with less curvature than its middle", () => {
    for (const offset of circuit.racingLine) expect(Math.abs(offset)).toBeLessThan(circuit.halfWidth - 1)
    const lineX = x.map((value, n) => value + normalX[n]! * circuit.racingLine[n]!)
    const lineY = y.map((value, n) => value + normalY[n]! * circuit.racingLine[n]!)
    expect(energy(curvature(lineX, lineY))).toBeLessThan(0.9 * energy(curvature(x, y)))
  })

  it("is crossed at its start line, once a lap", () => {
    const crossed: Array<number> = []
    for (let n = 0; n < nodes; n++) {
      if (crossing(circuit.startLine, x[n]!, y[n]!, x[next(n)]!, y[next(n)]!) !== undefined) crossed.push(n)
    }
    expect(crossed).toHaveLength(1)
    expect([0, nodes - 1]).toContain(crossed[0])
  })
})
