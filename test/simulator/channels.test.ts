/** The channels of a drive compared with the positions and speeds of its points, not with the formulas that made them. */
import { describe, expect, it } from "vitest"
import { namedChannel } from "../../src/domain/vocabulary.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { driveGroups, samplesOf } from "../../simulator/model/channelGroups.ts"
import { DrivenCar } from "../../simulator/model/DrivenCar.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"

const wheels = ["fl", "fr", "rl", "rr"]

/** The samples of a drive's first `seconds`, column by column. */
const channelsOf = (car: DrivenCar, name: string, seconds: number) => {
  const group = driveGroups.find((group) => group.name === name)!
  const count = Math.floor(seconds * group.rate)
  const { data } = samplesOf(car, group, 0, count)
  const names = ["timestamp", ...group.channels.map((channel) => channel.name)]
  const column = (name: string) => {
    const c = names.indexOf(name)
    if (c < 0) throw new Error(`no channel ${name}`)
    return data.subarray(c * count, (c + 1) * count)
  }
  return { count, rate: group.rate, column }
}

const wrapped = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180

/** The indexes from 1 to the last but one. */
const inner = (count: number) => Array.from({ length: count - 2 }, (_, i) => i + 1)

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

it("a drive's channels are of the vocabulary, each in its group", () => {
  for (const { channels, name } of driveGroups) {
    for (const channel of channels) expect(namedChannel(channel.name)?.group).toBe(name)
  }
  const names = driveGroups.flatMap(({ channels }) => channels.map((channel) => channel.name))
  expect(new Set(names).size).toBe(names.length)
})

describe.each(vehicles)("channels of $name", (vehicle) => {
  const circuit = circuitNamed("Hollin Moor")!
  const drive = new SimulatedDrive({ circuit, vehicle, seed: 11 })
  const car = new DrivenCar(drive)
  const until = drive.lap(3).end
  const motion = channelsOf(car, "motion", until)
  const { count, rate } = motion
  const { batch } = drive.points(0, count, rate)
  const [x, y, z] = (["position_x", "position_y", "position_z"] as const).map((name) => batch.column(name))
  const speed = batch.column("speed").map((kmh) => kmh / 3.6)
  /** By the positions before, at and after: degrees a second to the right, and m/s^2 along. */
  const heading = (i: number) =>
    (Math.atan2(x![i + 1]! - x![i - 1]!, y![i + 1]! - y![i - 1]!) * 180) / Math.PI
  const inside = inner(count).slice(1, -1)
  const turning = (i: number) => (wrapped(heading(i + 1) - heading(i - 1)) * rate) / 2
  const slowing = (i: number) => ((speed[i + 1]! - speed[i - 1]!) * rate) / 2

  it("have the signs of channels.md: right is positive, and so are power and a right-hand bend", () => {
    const [lateral, yawRate] = [motion.column("g_lateral"), motion.column("yaw_rate")]
    const along = motion.column("g_longitudinal")
    const bends = inside.filter((i) => Math.abs(turning(i) * speed[i]!) > 200)
    expect(bends.length).toBeGreaterThan(inside.length / 4)
    expect(bends.filter((i) => turning(i) > 0).length).toBeGreaterThan(100)
    expect(bends.filter((i) => turning(i) < 0).length).toBeGreaterThan(100)
    const wrongWay = bends.filter(
      (i) =>
        Math.sign(lateral[i]!) !== Math.sign(turning(i)) || Math.sign(yawRate[i]!) !== Math.sign(turning(i))
    )
    expect(wrongWay).toEqual([])
    const changes = inside.filter((i) => Math.abs(slowing(i)) > 1.5)
    expect(changes.length).toBeGreaterThan(inside.length / 4)
    expect(changes.filter((i) => Math.sign(along[i]!) !== Math.sign(slowing(i)))).toEqual([])
  })

  it("have forces and directions as large as those of the points", () => {
    const g = 9.80665
    const off = (name: string, reported: (i: number) => number) =>
      mean(inside.map((i) => Math.abs(motion.column(name)[i]! - reported(i))))
    expect(off("g_lateral", (i) => (speed[i]! * turning(i) * Math.PI) / 180 / g)).toBeLessThan(0.05)
    expect(off("g_longitudinal", (i) => slowing(i) / g)).toBeLessThan(0.05)
    expect(off("velocity_x", (i) => ((x![i + 1]! - x![i - 1]!) * rate) / 2)).toBeLessThan(0.1)
    expect(off("velocity_y", (i) => ((y![i + 1]! - y![i - 1]!) * rate) / 2)).toBeLessThan(0.1)
    expect(off("velocity_z", (i) => ((z![i + 1]! - z![i - 1]!) * rate) / 2)).toBeLessThan(0.1)
    const yaw = motion.column("yaw")
    const nose = mean(inside.map((i) => Math.abs(wrapped(yaw[i]! - heading(i)))))
    expect(nose).toBeLessThan(4)
    const spun = mean(
      inside.map((i) =>
        Math.abs((wrapped(yaw[i + 1]! - yaw[i - 1]!) * rate) / 2 - motion.column("yaw_rate")[i]!)
      )
    )
    expect(spun).toBeLessThan(1)
    expect([...yaw].every((degrees) => degrees >= 0 && degrees < 360)).toBe(true)
    // The car's own axes and those of the world are the same speed.
    const wrong = inside.filter((i) => {
      const own = Math.hypot(
        ...["velocity_forward", "velocity_right", "velocity_up"].map((name) => motion.column(name)[i]!)
      )
      return Math.abs(own - speed[i]!) > 0.01
    })
    expect(wrong).toEqual([])
  })

  it("show a car that leans out of the bend, dives under braking, and slips to the outside", () => {
    const suspension = channelsOf(car, "suspension", until)
    const rolling = channelsOf(car, "wheels", until)
    const right = inside.filter((i) => speed[i]! * turning(i) > 600)
    const left = inside.filter((i) => speed[i]! * turning(i) < -600)
    const braking = inside.filter((i) => slowing(i) < -5)
    const driving = inside.filter((i) => slowing(i) > 1)
    const over = (of: ReadonlyArray<number>, values: Float64Array) => mean(of.map((i) => values[i]!))
    const travel = wheels.map((wheel) => suspension.column(`suspension_travel_${wheel}`))
    // Left wheels carry more in right-hand bends.
    expect(over(right, travel[0]!)).toBeGreaterThan(over(right, travel[1]!) + 3)
    expect(over(left, travel[1]!)).toBeGreaterThan(over(left, travel[0]!) + 3)
    expect(over(right, motion.column("roll"))).toBeLessThan(0)
    expect(over(left, motion.column("roll"))).toBeGreaterThan(0)
    const nose = over(braking, travel[0]!) - over(braking, travel[2]!)
    expect(nose).toBeGreaterThan(over(driving, travel[0]!) - over(driving, travel[2]!) + 3)
    for (const wheel of wheels) {
      expect(over(right, rolling.column(`slip_angle_${wheel}`))).toBeLessThan(-0.5)
      expect(over(left, rolling.column(`slip_angle_${wheel}`))).toBeGreaterThan(0.5)
      expect(over(braking, rolling.column(`slip_ratio_${wheel}`))).toBeLessThan(-0.01)
    }
    const driven = vehicle.driven === "front" ? "fl" : "rl"
    expect(over(driving, rolling.column(`slip_ratio_${driven}`))).toBeGreaterThan(0.005)
    const reported = suspension.column("suspension_velocity_fl")
    const off = inside.map((i) =>
      Math.abs(((travel[0]![i + 1]! - travel[0]![i - 1]!) * rate) / 2 - reported[i]!)
    )
    expect(mean(off)).toBeLessThan(0.3 * mean(inside.map((i) => Math.abs(reported[i]!))))
    // On the inside of a bend the way is shorter.
    expect(over(right, rolling.column("wheel_speed_fr"))).toBeLessThan(
      over(right, rolling.column("wheel_speed_fl"))
    )
  })

  it("show fuel that is burnt with power, a lap as much as the drive states", () => {
    const { column, count, rate } = channelsOf(car, "fuel", until)
    const fuel = column("fuel_mass")
    const burnt = inner(count).map((i) => fuel[i]! - fuel[i + 1]!)
    expect(Math.min(...burnt)).toBeGreaterThan(0)
    const throttle = drive.points(0, count, rate).batch.column("throttle")
    const open = inner(count).filter((i) => throttle[i]! > 0.99 && throttle[i + 1]! > 0.99)
    const closed = inner(count).filter((i) => throttle[i]! < 0.01 && throttle[i + 1]! < 0.01)
    const most = mean(open.map((i) => burnt[i - 1]!))
    expect(most).toBeGreaterThan(10 * mean(closed.map((i) => burnt[i - 1]!)))
    const lap = Math.round(drive.lap(2).end * rate) - Math.round(drive.lap(1).end * rate)
    const used = fuel[Math.round(drive.lap(1).end * rate)]! - fuel[Math.round(drive.lap(1).end * rate) + lap]!
    expect(used / ((vehicle.burn * circuit.length) / 1000)).toBeCloseTo(1, 1)
    expect(column("fuel_fraction")[0]).toBe(1)
  })

  it("show tyres that warm up, gain pressure, and wear more and more", () => {
    const tyres = channelsOf(car, "tyres", until)
    const state = channelsOf(car, "tyre_state", until)
    for (const wheel of wheels) {
      const temperature = tyres.column(`tyre_temperature_${wheel}`)
      const surface = tyres.column(`tyre_surface_temperature_${wheel}`)
      const pressure = tyres.column(`tyre_pressure_${wheel}`)
      expect(temperature.at(-1)!).toBeGreaterThan(temperature[0]! + 3)
      expect(pressure.at(-1)!).toBeGreaterThan(pressure[0]! + 2)
      expect(Math.max(...surface)).toBeLessThan(160)
      // The tread warms and cools faster than the carcass.
      const swing = (values: Float64Array) =>
        mean(inner(values.length).map((i) => Math.abs(values[i + 1]! - values[i]!)))
      expect(swing(surface)).toBeGreaterThan(3 * swing(temperature))
      const wear = state.column(`tyre_wear_${wheel}`)
      expect(wear[0]).toBe(0)
      expect(inner(wear.length).filter((i) => wear[i + 1]! < wear[i]!)).toEqual([])
      expect(wear.at(-1)!).toBeGreaterThan(0.02)
      expect(wear.at(-1)!).toBeLessThan(0.3)
    }
    const brakes = channelsOf(car, "brakes", until)
    const disc = brakes.column("brake_temperature_fl")
    const pedal = drive.points(0, brakes.count, brakes.rate).batch.column("brake")
    const hotter = inner(brakes.count).filter((i) => pedal[i]! > 0.5 && pedal[i + 1]! > 0.5)
    expect(hotter.filter((i) => disc[i + 1]! <= disc[i]!)).toEqual([])
  })

  it("are the same for every reader, in any order, and absent before they are known", () => {
    const group = driveGroups.find(({ name }) => name === "tyres")!
    const late = samplesOf(new DrivenCar(drive), group, 1500, 20)
    const whole = samplesOf(car, group, 0, 1520)
    const part = Array.from({ length: 20 }, (_, i) => whole.data[1520 + 1500 + i])
    expect([...late.data.subarray(20, 40)]).toEqual(part)
    const timing = channelsOf(car, "timing", until)
    const end = Math.ceil(drive.lap(1).end * timing.rate)
    const last = timing.column("last_lap_time")
    expect([last[end - 1], last[end]]).toEqual([Number.NaN, expect.closeTo(drive.lap(1).lapTime, 6)])
    expect(timing.column("laps_completed")[end]).toBe(1)
  })
})

it("show that fuel and wear cost time: a lap is slower with a full tank, and on old tyres", () => {
  const circuit = circuitNamed("Cinder Bowl")!
  const timesOf = (vehicle: (typeof vehicles)[number], from: number) => {
    const drive = new SimulatedDrive({ circuit, vehicle, seed: 5 })
    const laps = Array.from({ length: 7 }, (_, n) => drive.lap(from + n).lapTime)
    return laps.toSorted((a, b) => a - b)[3]!
  }
  const heavy = { ...vehicles[0]!, burn: 0 }
  const light = { ...heavy, fuel: 1 }
  expect(timesOf(light, 2)).toBeLessThan(timesOf(heavy, 2) - 0.2)
  expect(timesOf(heavy, 2)).toBeLessThan(timesOf(heavy, 40) - 0.2)
})
