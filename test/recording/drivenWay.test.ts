/** Detects that a car was put elsewhere, and that a game ran slower than time. */
import { describe, expect, it } from "vitest"
import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { DrivenWay } from "../../src/recording/laps/DrivenWay.ts"

const STEP_S = 0.05
const SPEED = 30

/** A car at 30 m/s; `way`: m on the x axis from one point to the next. */
const drive = (seconds: number, way: (n: number) => number) => {
  const length = seconds / STEP_S
  const batch = new RowBatch(length, new Float64Array(length * channels.length), channels)
  let x = 0
  for (let n = 0; n < length; n++) {
    batch.timestamps[n] = n * STEP_S
    batch.column("speed")[n] = SPEED * 3.6
    batch.column("position_x")[n] = x += way(n)
    batch.column("position_y")[n] = 0
  }
  return batch
}

const even = () => SPEED * STEP_S

const onceASecond = (n: number) => (n % 20 === 0 ? SPEED : 0)

const putsIn = (batch: PointBatch) => {
  const way = new DrivenWay()
  const puts: Array<number> = []
  let isSlow = false
  for (let from = 0; from < batch.length;) {
    const { put, until } = way.look(batch, from, batch.length)
    if (put >= 0) puts.push(put)
    isSlow = way.takeSlow() || isSlow
    from = until
  }
  return { puts, isSlow }
}

describe("the way of a car", () => {
  it("is compared with its speed: a step that the car cannot have driven is found", () => {
    expect(putsIn(drive(20, even))).toEqual({ puts: [], isSlow: false })
    expect(putsIn(drive(20, (n) => (n === 200 ? -40 : even())))).toEqual({ puts: [200], isSlow: false })
  })

  it("may be reported less often than the speed, as by GPS, or with the error of a receiver", () => {
    expect(putsIn(drive(40, onceASecond))).toEqual({ puts: [], isSlow: false })
    expect(putsIn(drive(40, (n) => even() + (n % 2 === 0 ? 5 : -5)))).toEqual({ puts: [], isSlow: false })
  })

  it("is slow if it is shorter than the speed for a while, and not if the speed is always that of spinning wheels", () => {
    expect(putsIn(drive(40, (n) => (n > 400 && n < 600 ? even() / 4 : even()))).isSlow).toBe(true)
    expect(putsIn(drive(40, () => even() / 2)).isSlow).toBe(false)
  })
})
