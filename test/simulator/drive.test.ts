import { describe, expect, it } from "vitest"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { crossing } from "../../src/recording/laps/lineCrossing.ts"
import { circuitNamed, circuitNames } from "../../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import type { DrivePoints } from "../../simulator/model/DrivePoints.ts"
import { GRAVITY } from "../../simulator/model/forces.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"

const circuits = circuitNames.map((name) => circuitNamed(name)!)
const drives = circuits.flatMap((circuit) => vehicles.map((vehicle) => ({ circuit, vehicle, seed: 11 })))

const range = (values: ReadonlyArray<number>) => Math.max(...values) - Math.min(...values)
const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const within = (value: number, low: number, high: number) => value >= low && value <= high

describe.each(drives)("$vehicle.name at $circuit.name", (options) => {
  const drive = new SimulatedDrive(options)
  const { circuit, vehicle } = options
  const HZ = 200
  const until = drive.lap(4).end
  const { batch, lapDistance, lapNumber } = drive.between(0, until, HZ)
  const column = (name: Parameters<typeof batch.column>[0]) => batch.column(name)
  const speed = column("speed").map((kmh) => kmh / 3.6)
  const most = (v: number) => vehicle.grip * (GRAVITY + (vehicle.downforce / vehicle.mass) * v * v)
  const [x, y, z] = [column("position_x"), column("position_y"), column("position_z")]

  it("moves as fast as its speed channel states", () => {
    const wrong: Array<string> = []
    for (let i = 1; i < batch.length; i++) {
      const way = Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!, z[i]! - z[i - 1]!)
      const reported = (speed[i]! + speed[i - 1]!) / 2 / HZ
      if (Math.abs(way / reported - 1) > 0.01)
        wrong.push(`point ${i}: ${way} m driven, ${reported} m reported`)
    }
    expect(wrong.slice(0, 5)).toEqual([])
  })

  it("stays within grip across and along, and its speed never jumps", () => {
    const wrong: Array<string> = []
    const gap = 20
    for (let i = gap; i < batch.length - gap; i++) {
      const before = Math.atan2(y[i]! - y[i - gap]!, x[i]! - x[i - gap]!)
      const after = Math.atan2(y[i + gap]! - y[i]!, x[i + gap]! - x[i]!)
      const turn = Math.atan2(Math.sin(after - before), Math.cos(after - before))
      const lateral = Math.abs(((speed[i]! * turn) / gap) * HZ)
      if (lateral > 1.05 * most(speed[i]!))
        wrong.push(`point ${i}: ${lateral} m/s2 across at ${speed[i]!} m/s`)
      const along = (speed[i]! - speed[i - 1]!) * HZ
      const air = (vehicle.drag / vehicle.mass) * speed[i]! ** 2
      if (along < -(1.03 * most(speed[i]!) + air + 2)) wrong.push(`point ${i}: ${along} m/s2 braking`)
      if (along > Math.min(most(speed[i]!), vehicle.power / vehicle.mass / Math.max(6, speed[i]!)) + 1.5) {
        wrong.push(`point ${i}: ${along} m/s2 of thrust at ${speed[i]!} m/s`)
      }
    }
    expect(wrong.slice(0, 5)).toEqual([])
  })

  it("is driven with plausible pedals, gears, engine and wheel", () => {
    const wrong: Array<string> = []
    const [throttle, brake, steering] = [column("throttle"), column("brake"), column("steering")]
    const [gear, rpm] = [column("gear"), column("rpm")]
    let shifted = -1
    for (let i = 0; i < batch.length; i++) {
      const sane =
        within(throttle[i]!, 0, 1) &&
        within(brake[i]!, 0, 1) &&
        within(steering[i]!, -1, 1) &&
        within(gear[i]!, 1, vehicle.ratios.length) &&
        within(rpm[i]!, vehicle.idle, 1.05 * vehicle.shiftUp)
      if (!sane)
        wrong.push(`point ${i}: ${[throttle, brake, steering, gear, rpm].map((c) => c[i]!).join(" ")}`)
      const change = i === 0 ? 0 : Math.abs(gear[i]! - gear[i - 1]!)
      if (change === 0) continue
      if (change > 1) wrong.push(`point ${i}: ${change} gears at once`)
      if (shifted >= 0 && (i - shifted) / HZ < 0.12) wrong.push(`point ${i}: changes again too soon`)
      shifted = i
    }
    for (let i = 10; i < batch.length; i++) {
      const along = ((speed[i]! - speed[i - 10]!) / 10) * HZ
      if (along < -6 && Math.max(...brake.subarray(i - 10, i + 1)) < 0.05) wrong.push(`point ${i}: no brake`)
      if (along > 3 && Math.max(...throttle.subarray(i - 10, i + 1)) < 0.05) wrong.push(`point ${i}: coasts`)
    }
    expect(throttle.filter((value) => value > 0.99).length / batch.length).toBeGreaterThan(0.2)
    expect(Math.max(...column("speed"))).toBeGreaterThan(150)
    expect(Math.max(...column("speed"))).toBeLessThan(340)
    expect(wrong.slice(0, 5)).toEqual([])
  })

  it("steers right if the road turns right", () => {
    const steering = column("steering")
    let agree = 0
    let bends = 0
    for (let i = 10; i < batch.length - 10; i++) {
      const [ax, ay] = [x[i]! - x[i - 10]!, y[i]! - y[i - 10]!]
      const [bx, by] = [x[i + 10]! - x[i]!, y[i + 10]! - y[i]!]
      if (Math.abs(steering[i]!) < 0.05) continue
      bends++
      if (Math.sign(steering[i]!) === -Math.sign(ax * by - ay * bx)) agree++
    }
    expect(agree / bends).toBeGreaterThan(0.97)
  })

  it("counts laps and distance, and crosses the line at the stated time", () => {
    const wrong: Array<string> = []
    // The first point lies on the line; its last digit decides on which side.
    for (let i = 2; i < batch.length; i++) {
      const risen = lapNumber[i]! - lapNumber[i - 1]!
      const ahead = lapDistance[i]! - lapDistance[i - 1]! + risen * circuit.length
      if (!(ahead > 0 && ahead < 1)) wrong.push(`point ${i}: ${ahead} m ahead of the one before`)
      const crossed = crossing(circuit.startLine, x[i - 1]!, y[i - 1]!, x[i]!, y[i]!)
      if (risen !== (crossed === undefined ? 0 : 1)) wrong.push(`point ${i}: crossed or not?`)
      if (crossed === undefined) continue
      const early = drive.lap(lapNumber[i - 1]!).end - column("timestamp")[i - 1]! - crossed.fraction / HZ
      if (Math.abs(early) > 1e-4) wrong.push(`point ${i}: on the line ${early} s early`)
    }
    expect(lapNumber[0]).toBe(1)
    expect(lapDistance[0]).toBe(0)
    expect(lapNumber.at(-1)).toBe(4)
    expect(wrong.slice(0, 5)).toEqual([])
  })
})

describe("laps", () => {
  const options = { circuit: circuits[0]!, vehicle: vehicles[0]!, seed: 3 }
  const drive = new SimulatedDrive(options)
  const laps = Array.from({ length: 120 }, (_, i) => drive.lap(i + 1))

  it("follow each other; sectors sum to the lap", () => {
    for (const [i, lap] of laps.entries()) {
      expect(lap.lapNumber).toBe(i + 1)
      expect(lap.start).toBe(i === 0 ? 0 : laps[i - 1]!.end)
      expect(lap.end - lap.start).toBeCloseTo(lap.lapTime, 9)
      expect(lap.sectors[0] + lap.sectors[1] + lap.sectors[2]).toBeCloseTo(lap.lapTime, 9)
      for (const sector of lap.sectors) expect(sector).toBeGreaterThan(lap.lapTime / 6)
    }
  })

  it.each(drives)("without a mistake differ a little: $vehicle.name at $circuit.name", (options) => {
    const drive = new SimulatedDrive(options)
    const clean = Array.from({ length: 19 }, (_, i) => drive.lap(i + 2))
      .filter((lap) => lap.mistake === undefined)
      .map((lap) => lap.lapTime)
    expect(new Set(clean).size).toBe(clean.length)
    expect(range(clean) / mean(clean)).toBeGreaterThan(0.002)
    expect(range(clean) / mean(clean)).toBeLessThan(0.02)
  })

  it("have a mistake one time in six, of every kind; a cut lap is not valid", () => {
    const mistakes = laps.filter((lap) => lap.mistake !== undefined)
    expect(mistakes.length / laps.length).toBeGreaterThan(0.08)
    expect(mistakes.length / laps.length).toBeLessThan(0.3)
    expect(new Set(mistakes.map((lap) => lap.mistake)).size).toBe(4)
    for (const lap of laps) expect(lap.valid).toBe(lap.mistake !== "cut")
    const usual = mean(
      laps
        .slice(1)
        .filter((lap) => lap.mistake === undefined)
        .map((lap) => lap.lapTime)
    )
    const lost = (kind: string) =>
      Math.min(...laps.filter(({ mistake }) => mistake === kind).map(({ lapTime }) => lapTime - usual))
    expect(lost("spin")).toBeGreaterThan(4)
    expect(lost("wide")).toBeGreaterThan(0.3)
  })

  it("show a mistake in the points", () => {
    const traceOf = (kind: string) => {
      const lap = laps.find(({ mistake }) => mistake === kind)!
      return drive.between(lap.start, lap.end, 50)
    }
    const least = Math.min(...traceOf("spin").batch.column("speed"))
    expect(least).toBeLessThan(12)
    expect(Math.max(...traceOf("lock-up").batch.column("brake"))).toBe(1)
    const clean = drive.between(laps[1]!.start, laps[1]!.end, 50).batch.column("brake")
    expect(Math.max(...clean)).toBeLessThan(1)
    const { halfWidth, nodes, normalX, normalY, x, y } = options.circuit
    const { batch, lapDistance } = traceOf("cut")
    const strays = Array.from(lapDistance, (distance, i) => {
      const n = Math.min(nodes - 1, Math.round(distance / options.circuit.step))
      const dx = batch.column("position_x")[i]! - x[n]!
      const dy = batch.column("position_y")[i]! - y[n]!
      return Math.abs(dx * normalX[n]! + dy * normalY[n]!)
    })
    expect(Math.max(...strays)).toBeGreaterThan(halfWidth + 1)
  })

  it("are the same for a seed, whatever the order of the requests, and differ for another seed", () => {
    const again = new SimulatedDrive(options)
    expect(again.lap(40)).toEqual(laps[39])
    expect(again.lap(2)).toEqual(laps[1])
    expect(new SimulatedDrive({ ...options, seed: 4 }).lap(2).lapTime).not.toBe(laps[1]!.lapTime)
  })
})

/** The drive's points, treated as the service treats points. */
const pointsOf = ({ batch: { data, length } }: DrivePoints) => new RowBatch(length, data, channels)

describe("points", () => {
  const options = { circuit: circuits[1]!, vehicle: vehicles[1]!, seed: 5 }

  it("are the same at any rate, and however they are cut", () => {
    const slow = new SimulatedDrive(options).between(0, 200, 50)
    const fast = new SimulatedDrive(options).between(0, 200, 10_000)
    const all = pointsOf(slow)
    const picked = pointsOf(fast).pick(Array.from({ length: all.length }, (_, i) => i * 200))
    expect(picked.data).toEqual(all.data)
    const drive = new SimulatedDrive(options)
    const late = drive.points(5000, 5000, 50)
    const early = drive.points(0, 5000, 50)
    expect(early.batch.data).toEqual(all.slice(0, 5000).data)
    expect(late.batch.data).toEqual(all.slice(5000, 10_000).data)
  })

  it("lie at i / rate, and lap times do not depend on the rate", () => {
    for (const rate of [10, 60, 1000]) {
      const drive = new SimulatedDrive(options)
      const { batch, lapNumber } = drive.between(50, 120, rate)
      const timestamps = batch.column("timestamp")
      expect(timestamps[0]).toBe(50)
      expect(timestamps).toEqual(timestamps.map((_, i) => (50 * rate + i) / rate))
      expect(batch.length).toBe(70 * rate)
      expect(drive.lap(1)).toEqual(new SimulatedDrive(options).lap(1))
      expect(lapNumber).toEqual(timestamps.map((time) => drive.lapAt(time)))
    }
  })

  it("may be none", () => {
    expect(new SimulatedDrive(options).between(5, 5, 60).batch.length).toBe(0)
  })
})
