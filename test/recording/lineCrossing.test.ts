import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { crossing } from "../../src/recording/laps/lineCrossing.ts"
import { StartLineDetector } from "../../src/recording/laps/StartLineDetector.ts"

/** Across a track that runs along x. */
const line = { x1: 0, y1: -10, x2: 0, y2: 10 }

describe("crossing", () => {
  it("has its place in the step, and its direction", () => {
    const forwards = crossing(line, -1, 0, 3, 0)!
    expect(forwards.fraction).toBe(0.25)
    const backwards = crossing(line, 3, 0, -1, 0)!
    expect(backwards.fraction).toBe(0.75)
    expect(backwards.direction).toBe(-forwards.direction)
  })

  it("counts for a step that ends on the line, and not for one that begins there", () => {
    expect(crossing(line, -1, 5, 0, 5)?.fraction).toBe(1)
    expect(crossing(line, 0, 5, 1, 5)).toBeUndefined()
    expect(crossing(line, 0, 5, 0, 6)).toBeUndefined()
  })

  it("does not count beside the line's ends, or for a step that ends before it", () => {
    expect(crossing(line, -1, 10, 1, 10)).toBeDefined()
    expect(crossing(line, -1, 10.001, 1, 10.001)).toBeUndefined()
    expect(crossing(line, -3, 0, -0.001, 0)).toBeUndefined()
  })

  it("never counts for a line without length, and no numbers throw", () => {
    expect(crossing({ x1: 1, y1: 1, x2: 1, y2: 1 }, 0, 1, 2, 1)).toBeUndefined()
    const number = FastCheck.double()
    FastCheck.assert(
      FastCheck.property(
        FastCheck.tuple(number, number, number, number),
        FastCheck.tuple(number, number, number, number),
        ([x1, y1, x2, y2], [ax, ay, bx, by]) => {
          const found = crossing({ x1, y1, x2, y2 }, ax, ay, bx, by)
          const { fraction } = found ?? { fraction: 0 }
          expect(fraction >= 0 && fraction <= 1).toBe(true)
        }
      )
    )
  })

  it("counts once for a way, however it is cut into steps", () => {
    const cuts = FastCheck.array(FastCheck.integer({ min: -20, max: 20 }), { maxLength: 10 })
    FastCheck.assert(
      FastCheck.property(cuts, (cuts) => {
        const way = [-21, ...cuts.sort((a, b) => a - b), 21]
        const found = way.slice(1).filter((x, i) => crossing(line, way[i]!, 0, x, 0) !== undefined)
        expect(found.length).toBe(1)
      })
    )
  })
})

type Place = readonly [x: number, y: number]

/** Drives through the given places (a number is one on the track's middle); the direction of each passage that counts. */
const passages = (...places: ReadonlyArray<number | Place>) => {
  const watch = new StartLineDetector()
  const way = places.map((place): Place => (typeof place === "number" ? [place, 0] : place))
  const batch = RowBatch.allocate(way.length, channels)
  batch.column("position_x").set(way.map(([x]) => x))
  batch.column("position_y").set(way.map(([, y]) => y))
  const found: Array<string> = []
  for (let from = 1; from < way.length;) {
    const passage = watch.next(line, ...way[from - 1]!, batch, from, way.length)
    if (passage === undefined) break
    found.push(passage.way)
    from = passage.index + 1
  }
  return found
}

/** Away over the far side of the circuit and back before the line. */
const around: ReadonlyArray<Place> = [
  [100, 0],
  [100, 500],
  [-100, 500],
  [-100, 0]
]

describe("StartLineDetector", () => {
  it("counts every passage of a car that drives on", () => {
    expect(passages(-5, 5, ...around, 5, ...around, 5)).toEqual(["forwards", "forwards", "forwards"])
  })

  it("counts a car once that stands on the line with a jittery GPS", () => {
    const jitter = [0.1, -0.2, 0.3, -0.1, 0.2, 40, -40, 5]
    expect(passages(-5, ...jitter, ...around, ...jitter, ...around, 5)).toEqual([
      "forwards",
      "forwards",
      "forwards"
    ])
  })

  it("learns the forward direction if the jitter of the start crossed backwards first", () => {
    expect(passages(0.1, -0.1, 0.2, -0.1, 5, ...around, 5, ...around, 5)).toEqual([
      "forwards",
      "forwards",
      "forwards"
    ])
  })

  it("learns the forward direction from the next passage if the first was a push back", () => {
    expect(passages(60, 5, -5, -60, 5, ...around, 5, ...around, 5)).toEqual([
      "forwards",
      "turned",
      "forwards",
      "forwards"
    ])
  })

  it("is not misled by a car that touches the line and turns back", () => {
    const known = [-5, 5, ...around, 5]
    expect(passages(...known, 0, 0, 5, ...around, 0, 5, ...around, 5)).toEqual(Array(4).fill("forwards"))
    expect(passages(...known, ...around, 0, 0, -5, -60, 5)).toEqual([
      "forwards",
      "forwards",
      "forwards",
      "backwards",
      "forwards"
    ])
  })

  it("finds that a car left the line backwards after it had only just passed it", () => {
    const known = [-5, 5, ...around, 5]
    expect(passages(...known, -5, -60, 5, ...around, 5)).toEqual([
      "forwards",
      "forwards",
      "backwards",
      "forwards",
      "forwards"
    ])
  })

  it("finds a passage backwards once the direction is known", () => {
    const known = [-5, 5, ...around, 5]
    expect(passages(...known, 100, -5, 100, ...around, 5)).toEqual([
      "forwards",
      "forwards",
      "backwards",
      "forwards",
      "forwards"
    ])
  })

  it("finds the same in a batch as in its points one by one, if some have no position", () => {
    const place = FastCheck.record({
      x: FastCheck.integer({ min: -120, max: 120 }),
      y: FastCheck.integer({ min: -12, max: 12 }),
      isKnown: FastCheck.integer({ min: 0, max: 4 }).map((n) => n > 0)
    })
    const drives = FastCheck.array(place, { minLength: 1, maxLength: 60 })
    FastCheck.assert(
      FastCheck.property(drives, (drive) => {
        const batch = RowBatch.allocate(drive.length, channels)
        const xs = batch.column("position_x")
        const ys = batch.column("position_y")
        drive.forEach(({ isKnown, x, y }, i) => {
          xs[i] = isKnown ? x : Number.NaN
          ys[i] = isKnown ? y : Number.NaN
        })
        /** Calls the detector with so many points at a time. */
        const found = (most: number) => {
          const detector = new StartLineDetector()
          const all: Array<object> = []
          let from = 0
          while (from < drive.length) {
            const last = drive.slice(0, from).findLast(({ isKnown }) => isKnown)
            const to = Math.min(from + most, drive.length)
            const passage = detector.next(line, last?.x ?? Number.NaN, last?.y ?? Number.NaN, batch, from, to)
            if (passage !== undefined) all.push(passage)
            from = (passage?.index ?? to - 1) + 1
          }
          return all
        }
        expect(found(60)).toEqual(found(1))
      }),
      { numRuns: 500 }
    )
  })
})
