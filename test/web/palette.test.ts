/**
 * Colours that mean different things are distinguished with each kind of colour vision: as Machado, Oliveira and Fernandes
 * (2009) simulate its complete absence, and by their distance in OKLab (Ottosson 2020), where 0.02 is just noticed side
 * by side.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { root } from "../support/processes.ts"

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const times = (matrix: Matrix, of: Triple): Triple => [
  dot(matrix[0], of),
  dot(matrix[1], of),
  dot(matrix[2], of)
]
const each = ([a, b, c]: Triple, f: (value: number) => number): Triple => [f(a), f(b), f(c)]

/** In linear RGB, severity 1. */
const visions: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1]
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881]
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039]
  ]
}

const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005]
]
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766]
]

/** `#rrggbb` without the sRGB curve (IEC 61966-2-1). */
const linear = (hex: string): Triple =>
  each(
    [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Triple,
    (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  )

const seen = (hex: string, vision: Matrix): Triple => {
  const rgb = each(times(vision, linear(hex)), (value) => Math.min(1, Math.max(0, value)))
  return times(TO_LAB, each(times(TO_CONES, rgb), Math.cbrt))
}

const distance = (a: Triple, b: Triple) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

const css = readFileSync(join(root, "web/src/styles/tokens.css"), "utf8")
const themes = ["dark", "light"].map((theme) => {
  const [, block] = new RegExp(`data-theme="${theme}"\\][^{]*\\{([^}]*)\\}`).exec(css)!
  const colours = [...block!.matchAll(/--([\w-]+): (#[\da-f]{6});/g)]
  return [theme, new Map(colours.map(([, name, hex]) => [name!, hex!]))] as const
})

const laps = Array.from({ length: 6 }, (_, lap) => `lap-${lap}`)
const pairsOf = (names: ReadonlyArray<string>) =>
  names.flatMap((name, index) => names.slice(0, index).map((other) => [other, name] as const))

/** Colours that are drawn together; the most used ones are the farthest apart. */
const pairs: ReadonlyArray<readonly [least: number, ReadonlyArray<readonly [string, string]>]> = [
  [0.2, [["gain", "loss"], ...pairsOf(laps.slice(0, 3))]],
  [0.15, [["throttle", "brake"]]],
  [0.1, [["good", "bad"], ...pairsOf(laps)]]
]

describe.each(themes)("the %s theme", (_theme, colours) => {
  it.each(Object.entries(visions))("is distinguished with %s vision", (_name, vision) => {
    for (const [least, some] of pairs) {
      const near = some
        .map(
          ([a, b]) => [a, b, distance(seen(colours.get(a)!, vision), seen(colours.get(b)!, vision))] as const
        )
        .filter(([, , apart]) => !(apart >= least))
      expect(near).toEqual([])
    }
  })
})
