import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { allBut, allChannels } from "../../src/domain/ChannelSet.ts"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { coalesce } from "../../src/simulators/coalesce.ts"
import { pointsAt } from "../live/support.ts"

interface Shape {
  readonly length: number
  readonly numbered: boolean
  readonly measured: boolean
  readonly told: number
  readonly missing: number
}

const shape: FastCheck.Arbitrary<Shape> = FastCheck.record({
  length: FastCheck.integer({ min: 0, max: 4 }),
  numbered: FastCheck.boolean(),
  measured: FastCheck.boolean(),
  told: FastCheck.constantFrom(allChannels, allChannels, allBut("steering")),
  missing: FastCheck.constantFrom(0, 0, 0, 3)
})
const eventShape = FastCheck.oneof({ weight: 4, arbitrary: shape }, FastCheck.constant("end" as const))

/** Points that can be told apart by their times. */
const events = (shapes: ReadonlyArray<Shape | "end">) => {
  let time = 0
  return shapes.map((shape) => {
    if (shape === "end") return SimulatorEvent.SessionEnded()
    const times = Array.from({ length: shape.length }, () => time++)
    return SimulatorEvent.Points({
      batch: pointsAt(times),
      told: shape.told,
      lapNumber: shape.numbered ? Float64Array.from(times, (time) => time * 2) : undefined,
      lapDistance: shape.measured ? Float64Array.from(times, (time) => time * 3) : undefined,
      missing: shape.missing
    })
  })
}

/** What a reader of the events gets, point by point, with a gap where one is told. */
const told = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event) => {
    if (event._tag !== "Points") return [event._tag]
    const { batch, lapNumber, lapDistance, missing, told } = event
    const points = [...batch.timestamps].map((time, i) => [
      time,
      batch.column("speed")[i],
      told,
      lapNumber?.[i],
      lapDistance?.[i]
    ])
    return missing > 0 ? [`${missing} missing`, ...points] : points
  })

const points = (events: ReadonlyArray<SimulatorEvent>) => events.filter((event) => event._tag === "Points")

describe("coalesce", () => {
  it("says the same in the same order, with no more batches", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(eventShape, { maxLength: 20 }), (shapes) => {
        const before = events(shapes)
        const after = coalesce(before)
        expect(told(after)).toEqual(told(before))
        expect(after.length).toBeLessThanOrEqual(before.length)
        for (const { batch, lapNumber, lapDistance } of points(after)) {
          expect(lapNumber === undefined || lapNumber.length === batch.length).toBe(true)
          expect(lapDistance === undefined || lapDistance.length === batch.length).toBe(true)
        }
      })
    )
  })

  it("joins a run into one, and a gap or another event ends the run", () => {
    const plain = { length: 2, numbered: true, measured: false, told: allChannels, missing: 0 }
    const run = [plain, plain, plain, { ...plain, missing: 5 }, plain, "end" as const, plain]
    const after = coalesce(events(run))
    expect(after.map((event) => (event._tag === "Points" ? event.batch.length : event._tag))).toEqual([
      6,
      4,
      "SessionEnded",
      2
    ])
  })

  it("leaves a single event as it is, and nothing nothing", () => {
    const one = events([{ length: 3, numbered: false, measured: false, told: allChannels, missing: 0 }])
    expect(coalesce(one)[0]).toBe(one[0])
    expect(coalesce([])).toEqual([])
  })
})
