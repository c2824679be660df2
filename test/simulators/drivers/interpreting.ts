/** Feeds bytes to a driver's state machine and returns its events: shared by the tests of all drivers over UDP. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { isDeclared } from "../../../src/domain/ChannelSet.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { LinkOptions } from "../../../src/simulators/Driver.ts"
import type { Conversation, Interpreter } from "../../../src/simulators/udp/Protocol.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { goldenHere, sharedFolder } from "../../support/sharedData.ts"
import { isPoints } from "../rows.ts"

const folder = sharedFolder("protocols/golden")
export const haveGolden = goldenHere.missing === undefined

export interface GoldenVector {
  readonly name: string
  readonly hex: string
  readonly expect: Readonly<Record<string, unknown>>
  readonly [more: string]: unknown
}

export const goldenVectors = (file: string): ReadonlyArray<GoldenVector> =>
  (JSON.parse(readFileSync(join(folder, file), "utf8")) as { readonly vectors: ReadonlyArray<GoldenVector> })
    .vectors

export const bytesOf = ({ hex }: GoldenVector): Buffer => Buffer.from(hex, "hex")

export const linkOptions = (more: Partial<LinkOptions> = {}): LinkOptions => ({
  host: "127.0.0.1",
  port: 1,
  appName: "Test app",
  rate: 60,
  options: {},
  memory: new Map(),
  ...more
})

/** A conversation over its first link. */
export const opened = <One extends Conversation>(
  conversation: One,
  send: (bytes: Uint8Array) => void = () => undefined
): One => {
  conversation.open(send)
  return conversation
}

/** The events of an interpreter whose datagrams arrive `every` seconds, and whose link ends then. */
export const interpret = (
  interpreter: Interpreter,
  datagrams: ReadonlyArray<Buffer>,
  every = 1 / 60
): ReadonlyArray<SimulatorEvent> => {
  const events = new EventBuffer()
  const given: Array<SimulatorEvent> = []
  datagrams.forEach((bytes, n) => {
    interpreter.datagram(bytes, 100 + n * every, events)
    given.push(...events.take())
  })
  interpreter.end?.(events)
  given.push(...events.take())
  return given
}

/** A small random generator, so that a failing input can be made again (Marsaglia, xorshift32). */
const randomOf = (seed: number) => {
  let state = seed | 1
  return (below: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const spoiled = (bytes: Buffer, random: (below: number) => number): Buffer => {
  const copy = Buffer.from(bytes)
  switch (random(5)) {
    case 0:
      return copy.subarray(0, random(copy.length + 1))
    case 1:
      return Buffer.concat([copy, Buffer.alloc(random(64), random(256))])
    case 2:
      return Buffer.from(Array.from({ length: random(1500) }, () => random(256)))
    default:
      for (let flips = 1 + random(16); flips > 0 && copy.length > 0; flips--) {
        copy[random(copy.length)]! ^= 1 << random(8)
      }
      return copy
  }
}

/**
 * Random, truncated, lengthened and bit-flipped datagrams, among the untouched ones in their order: an interpreter never throws, and
 * each value of its points is finite. `fresh` makes a new interpreter every few hundred inputs, which reads them from the first or
 * from any other. Returns the number of points.
 */
export const fuzz = (fresh: () => Interpreter, seeds: ReadonlyArray<Buffer>, runs: number): number => {
  const random = randomOf(20261121)
  const events = new EventBuffer()
  let interpreter = fresh()
  let points = 0
  let next = 0
  for (let n = 0; n < runs; n++) {
    if (n % 500 === 0) {
      interpreter = fresh()
      next = n % 1000 === 0 ? 0 : random(seeds.length)
    }
    const now = next % seeds.length
    const isWhole = random(4) === 0
    if (isWhole) next++
    const bytes = isWhole
      ? Buffer.from(seeds[now]!)
      : spoiled(seeds[random(2) === 0 ? now : random(now + 1)]!, random)
    try {
      interpreter.datagram(bytes, n / 60, events)
    } catch (defect) {
      throw new Error(`input ${n}, ${bytes.toString("hex")}`, { cause: defect })
    }
    for (const event of events.take()) {
      if (!isPoints(event)) continue
      points += event.batch.length
      for (const [c, channel] of channels.entries()) {
        const good = isDeclared(event.declared, c) ? Number.isFinite : Number.isNaN
        if (event.batch.column(channel).every(good)) continue
        expect.unreachable(
          `input ${n} gave a point whose ${channel} is not finite, or not absent where it is not reported`
        )
      }
    }
  }
  // Without points the seeds would be no packets of this protocol, and the test would try nothing.
  expect(points).toBeGreaterThan(0)
  return points
}
