import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { allBut, allChannels } from "../../src/domain/ChannelSet.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { coalesce } from "../../src/simulators/connection/coalesce.ts"
import { pointsAt } from "../live/support.ts"
import { lapBatch } from "../../src/domain/LapBatch.ts"
import { lapDistancesOf, lapNumbersOf } from "./lapColumns.ts"
import { isPoints } from "./rows.ts"
import { POINTS } from "../../src/domain/Dictionary.ts"

interface Shape {
  readonly length: number
  readonly numbered: boolean
  readonly measured: boolean
  readonly declared: number
  readonly declaredBySome: number
  readonly missing: number
}

const shape: FastCheck.Arbitrary<Shape> = FastCheck.record({
  length: FastCheck.integer({ min: 0, max: 4 }),
  numbered: FastCheck.boolean(),
  measured: FastCheck.boolean(),
  declared: FastCheck.constantFrom(allChannels, allChannels, allBut("steering")),
  declaredBySome: FastCheck.constantFrom(allChannels, allChannels, allBut("steering")),
  missing: FastCheck.constantFrom(0, 0, 0, 3)
})
/** Samples of a group. */
interface SampleShape {
  readonly group: string
  readonly length: number
  readonly names: ReadonlyArray<string>
  readonly missing: number
}

const sampleShape: FastCheck.Arbitrary<SampleShape> = FastCheck.record({
  group: FastCheck.constantFrom("tyres", "tyres", "fuel"),
  length: FastCheck.integer({ min: 1, max: 4 }),
  names: FastCheck.constantFrom(["x_a", "x_b"], ["x_a", "x_b"], ["x_a"]),
  missing: FastCheck.constantFrom(0, 0, 0, 3)
})

const eventShape = FastCheck.oneof(
  { weight: 4, arbitrary: shape },
  { weight: 3, arbitrary: sampleShape },
  FastCheck.constant("end" as const)
)

/** Points, and samples, that can be distinguished by their times. */
const events = (shapes: ReadonlyArray<Shape | SampleShape | "end">) => {
  let time = 0
  return shapes.map((shape) => {
    if (shape === "end") return SimulatorEvent.SessionEnded()
    const times = Array.from({ length: shape.length }, () => time++)
    if ("group" in shape) {
      const { group, missing, names } = shape
      const data = Float64Array.from([times, ...names.map((_, n) => times.map((t) => t * (n + 2)))].flat())
      const batch = new RowBatch(times.length, data, ["timestamp", ...names])
      return SimulatorEvent.Rows({ group, batch, missing })
    }
    const batch = pointsAt(times)
    const lap = lapBatch(
      batch.timestamps,
      shape.numbered ? batch.timestamps.map((time) => time * 2) : undefined,
      shape.measured ? batch.timestamps.map((time) => time * 3) : undefined
    )
    const { missing, declared, declaredBySome } = shape
    return SimulatorEvent.Rows({ group: POINTS, batch, declared, declaredBySome, lap, missing })
  })
}

/** The content of the events, point by point, with each gap that they report. */
const reported = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event): ReadonlyArray<unknown> => {
    if (event._tag !== "Rows") return [event._tag]
    if (!isPoints(event)) {
      const { batch, group, missing } = event
      const samples = [...batch.timestamps].map((_, i) => [
        group,
        ...batch.channels.map((name) => [name, batch.column(name)[i]])
      ])
      return missing > 0 ? [`${missing} of ${group} missing`, ...samples] : samples
    }
    const { batch, lap, missing, declared, declaredBySome } = event
    const points = [...batch.timestamps].map((time, i) => [
      time,
      batch.column("speed")[i],
      declared,
      declaredBySome,
      lap?.timestamps[i],
      lapNumbersOf(event)[i],
      lapDistancesOf(event)[i]
    ])
    return missing > 0 ? [`${missing} missing`, ...points] : points
  })

const points = (events: ReadonlyArray<SimulatorEvent>) => events.filter((event) => isPoints(event))

describe("coalesce", () => {
  it("keeps the content and its order, with no more batches", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(eventShape, { maxLength: 20 }), (shapes) => {
        const before = events(shapes)
        const after = coalesce(before)
        expect(reported(after)).toEqual(reported(before))
        expect(after.length).toBeLessThanOrEqual(before.length)
        for (const { batch, lap } of points(after)) {
          expect(lap === undefined || lap.length === batch.length).toBe(true)
        }
      })
    )
  })

  it("joins a run into one, and a gap or another event ends the run", () => {
    const plain = {
      length: 2,
      numbered: true,
      measured: false,
      declared: allChannels,
      declaredBySome: allChannels,
      missing: 0
    }
    const run = [plain, plain, plain, { ...plain, missing: 5 }, plain, "end" as const, plain]
    const after = coalesce(events(run))
    expect(after.map((event) => (isPoints(event) ? event.batch.length : event._tag))).toEqual([
      6,
      4,
      "SessionEnded",
      2
    ])
  })

  it("joins samples of one group that have the same columns, and no others", () => {
    const tyres = { group: "tyres", length: 2, names: ["x_a", "x_b"], missing: 0 }
    const fuel = { ...tyres, group: "fuel" }
    const grown = { ...tyres, names: ["x_a", "x_b", "x_c"] }
    const points = {
      length: 1,
      numbered: false,
      measured: false,
      declared: allChannels,
      declaredBySome: allChannels,
      missing: 0
    }
    const run = [tyres, tyres, fuel, fuel, fuel, tyres, grown, grown, { ...grown, missing: 1 }, points, grown]
    const after = coalesce(events(run))
    expect(after.map((event) => ("batch" in event ? event.batch.length : event._tag))).toEqual([
      4, 6, 2, 4, 2, 1, 2
    ])
  })

  it("leaves a single event and an empty list as they are", () => {
    const one = events([
      {
        length: 3,
        numbered: false,
        measured: false,
        declared: allChannels,
        declaredBySome: allChannels,
        missing: 0
      }
    ])
    expect(coalesce(one)[0]).toBe(one[0])
    expect(coalesce([])).toEqual([])
  })
})
