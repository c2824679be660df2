/** Helpers of the tests of captured laps: they check a driver's events. */
import { expect } from "vitest"
import { readTrack } from "../../../tools/docs/sharedData.ts"
import type { Channel } from "../../../src/domain/pointChannels.ts"
import type { PointBatch } from "../../../src/domain/RowBatch.ts"
import { type RecordedSession, signedArea } from "../drivers/suite/events.ts"
import { fit, type Line, mirrored, reversed, steered } from "./paths.ts"

const pathOf = (batch: PointBatch): Line => ({ x: batch.column("position_x"), y: batch.column("position_y") })

/** The least and the greatest value. */
export const rangeOf = (batch: PointBatch, channel: Channel) => {
  const column = batch.column(channel)
  return [column.reduce((a, b) => Math.min(a, b)), column.reduce((a, b) => Math.max(a, b))]
}

/** The points of one lap. */
export const lapOf = ({ batch, lapNumber }: RecordedSession, number: number): PointBatch =>
  batch.pick(lapNumber.flatMap((one, i) => (one === number ? [i] : [])))

export const steeredOf = (batch: PointBatch) =>
  steered({ ...pathOf(batch), speed: batch.column("speed"), steering: batch.column("steering") })

/** Expects the lap on the circuit's centre line, to about a track's width, in its direction. Mirror images must not fit. */
export const expectOnCircuit = (lap: PointBatch, name: string) => {
  const circuit = readTrack(name)
  const path = pathOf(lap)
  const { rms, scale } = fit(path, circuit)
  expect(rms).toBeLessThan(8)
  expect(Math.abs(scale - 1)).toBeLessThan(0.005)
  for (const wrong of [mirrored(path), reversed(mirrored(path))]) {
    expect(fit(wrong, circuit).rms).toBeGreaterThan(30)
  }
  expect(signedArea(path.x, path.y) / signedArea(circuit.x, circuit.y)).toBeCloseTo(1, 1)
}
