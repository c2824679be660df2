/** Wheels that lock and spin, and a wheel that is turned late, as causes of a loss: on laps whose fault is known. */
import { describe, expect, it } from "vitest"
import { compare } from "../../src/analysis/compare/comparison.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import type { Loss } from "../../src/domain/analysis/comparison.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { samples, withRows, withWheels } from "./companionChannels.ts"
import { changed } from "./faults.ts"
import { drive, drivenLap } from "./lapData.ts"
import { drivenLaps, START } from "./sessions.ts"
import {
  type Braking,
  brakingsOf,
  carriedLess,
  driven,
  lapOf,
  type Profile,
  profileOf,
  timesOf
} from "./syntheticLap.ts"

const lossesOf = (best: LapData, lap: LapData): ReadonlyArray<Loss> => compare([best, lap]).losses
const worst = (best: LapData, lap: LapData) => lossesOf(best, lap)[0]!
const named = (losses: ReadonlyArray<Loss>) => losses.map(({ cause }) => cause)

/** Nodes after a corner's slowest one, where the car accelerates. */
const OUT = 50
const corners = circuitNames.flatMap((name) => {
  const profile = profileOf(drive(name), 3)
  const isFree = ({ slowest }: Braking) => {
    const leaves = profile.speed.subarray(slowest, slowest + 200)
    return slowest > 200 && leaves.every((v, n) => n === 0 || v >= leaves[n - 1]!)
  }
  const braking = brakingsOf(profile).find(isFree)
  return braking === undefined ? [] : [{ name, profile, braking }]
})

/** Four wheels at the car's speed; the rear ones `times` as fast between two nodes of the profile. */
const wheeled = (lap: LapData, profile: Profile, from: number, to: number, times: number): LapData => {
  const t = lap.points.timestamps
  const time = timesOf(profile)
  const own = lap.points.column("speed")
  const isIn = (i: number) =>
    t[i]! - lap.lap.startTime >= time[from]! && t[i]! - lap.lap.startTime < time[to]!
  const rear = own.map((v, i) => (isIn(i) ? v * times : v))
  return withRows(
    lap,
    samples(t, { wheel_speed_fl: own, wheel_speed_fr: own, wheel_speed_rl: rear, wheel_speed_rr: rear })
  )
}
const open = (lap: LapData) => changed(lap, [-1, 1e4], "throttle", () => 1)

describe("wheelspin after a corner", () => {
  it.each(corners)("of $name is named where the wheels show it", ({ braking: { slowest }, profile }) => {
    const [from, to] = [slowest + OUT, slowest + OUT + 30]
    const worse = driven(profile, from, to, 0.5)
    const best = wheeled(open(lapOf(profile, 1)), profile, 0, 0, 1)
    const spun = (times: number) => wheeled(open(lapOf(worse, 2)), worse, from, to, times)
    const loss = worst(best, spun(1.5))
    expect([loss.cause, loss.sentence]).toEqual([
      "wheelspin",
      expect.stringMatching(/spins the rear left and rear right wheels between \d+ m and \d+ m and loses/)
    ])
    expect(loss.causeAt![1] - loss.causeAt![0]).toBeGreaterThan(20)
    // Slip that grips, slip that the faster lap has too, and wheels that one of the laps does not report.
    const spinning = wheeled(open(lapOf(profile, 1)), profile, from, to, 1.5)
    for (const losses of [
      lossesOf(best, spun(1.2)),
      lossesOf(spinning, spun(1.5)),
      lossesOf(open(lapOf(profile, 1)), spun(1.5))
    ])
      expect(named(losses)).not.toContain("wheelspin")
  })
})

describe("locked wheels of simulated drives", () => {
  it("are the cause where the lap is slower in that corner, and on no other lap", () => {
    let all = 0
    let locked = 0
    let refuted = 0
    for (const circuit of circuitNames) {
      const from = drive(circuit, 1, 31)
      const laps = drivenLaps({ circuit, vehicle: 1, seed: 31, hz: 20, laps: 8 }).slice(1)
      const wheels = laps.map((lap) => withWheels(lap, from, START))
      const clean = laps.findIndex(({ driven: { mistake } }) => mistake === undefined)
      laps.forEach(({ driven: { mistake } }, l) => {
        const causes = named(lossesOf(wheels[clean]!, wheels[l === clean ? clean + 1 : l]!))
        const slips = causes.filter((cause) => cause === "lock-up" || cause === "wheelspin")
        if (mistake === "lock-up") all++
        else refuted += slips.length
        if (mistake === "lock-up" && slips.length > 0) locked++
      })
    }
    expect(refuted).toBe(0)
    expect(all).toBeGreaterThan(8)
    // The others braked earlier, too, which cost more.
    expect(locked).toBeGreaterThanOrEqual(0.7 * all)
  })
})

/** The profile `aside` m further outside at the slowest node of a corner, as of a car that turns late. */
const widened = (profile: Profile, slowest: number, aside: number): Profile => {
  const { x, y } = profile
  const turn = (n: number) => {
    const [a, b] = [
      Math.atan2(y[n]! - y[n - 9]!, x[n]! - x[n - 9]!),
      Math.atan2(y[n + 9]! - y[n]!, x[n + 9]! - x[n]!)
    ]
    return Math.sin(b - a)
  }
  const out = -Math.sign(turn(slowest)) * aside
  const [wideX, wideY] = [x.slice(), y.slice()]
  for (let n = slowest - 60; n < slowest + 60; n++) {
    const [dx, dy] = [x[n + 1]! - x[n - 1]!, y[n + 1]! - y[n - 1]!]
    const by = (out * (1 + Math.cos((Math.PI * (n - slowest)) / 60))) / 2 / Math.hypot(dx, dy)
    wideX[n] = x[n]! - dy * by
    wideY[n] = y[n]! + dx * by
  }
  return { ...profile, x: wideX, y: wideY }
}

/** The wheel is turned in to `most` over 20 m from a node on, and back from 60 nodes later. */
const steered = (lap: LapData, { x, y }: Profile, from: number, most = 0.3): LapData => {
  const copy = changed(lap, [-1, 1e4], "steering", () => 0)
  const [px, py] = [copy.points.column("position_x"), copy.points.column("position_y")]
  const steering = copy.points.column("steering")
  for (let i = 0; i < px.length; i++) {
    let node = 0
    let least = Infinity
    for (let n = from - 150; n < from + 150; n++) {
      const away = Math.hypot(px[i]! - x[n]!, py[i]! - y[n]!)
      if (away < least) [least, node] = [away, n]
    }
    if (least < 8) steering[i] = most * Math.max(0, Math.min(1, (node - from) / 20, (from + 80 - node) / 20))
  }
  return copy
}

describe("a late turn-in", () => {
  it.each(corners)("at $name is named where steering and positions show it", ({ braking, profile }) => {
    const { slowest } = braking
    const SLOWER = 2.5
    const slow = carriedLess(profile, braking, SLOWER)
    // As far as the arc must be tighter for that speed, by the same grip.
    const speed = profile.speed[slowest]!
    const tighter = 0.3 * Math.min(1.45, (speed / (speed - SLOWER)) ** 2)
    const early = slowest - 40
    const best = steered(lapOf(profile, 1), profile, early)
    const late = (metres: number, aside: number, most = tighter) => {
      const worse = widened(slow, slowest, aside)
      return steered(lapOf(worse, 2), worse, early + metres, most)
    }
    const { cause, causeAt, sentence } = worst(best, late(12, 1.5))
    expect([cause, sentence]).toEqual([
      "late turn-in",
      expect.stringMatching(
        /turns in \d+ m later \(\d+ m, faster lap: \d+ m\), carries \d+ km\/h less minimum speed \(.+\) and loses/
      )
    ])
    expect(Math.abs(causeAt![1] - causeAt![0] - 12)).toBeLessThan(4)
    // An arc that is no tighter, as of a lap that only brakes for longer; the same line; and the same turn-in.
    expect(worst(best, late(12, 1.5, 0.29)).cause).toBe("minimum speed")
    expect(worst(best, late(12, 0)).cause).toBe("minimum speed")
    expect(worst(best, late(0, 1.5)).cause).toBe("minimum speed")
  })

  it("is not named on laps that are alike", () => {
    const from = drive("Port Averno")
    const laps = [2, 3, 4, 5].map((number) => drivenLap(from, number, 20))
    expect(named(compare(laps).losses)).not.toContain("late turn-in")
  })
})
