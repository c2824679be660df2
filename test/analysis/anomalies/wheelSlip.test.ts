/** Wheels that lock or spin, by their own speeds: in simulated drives, and in packets of real games. */
import { describe, expect, it } from "vitest"
import { encodeAnswer } from "../../../simulator/emulators/assetto-corsa/encode.ts"
import { encrypt } from "../../../simulator/emulators/gt7/packets.ts"
import type { LapData } from "../../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import { slipChannels } from "../../../src/analysis/wheels/slippingLaps.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { protocol as dirtRally2 } from "../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { protocol as gt7 } from "../../../src/simulators/drivers/gt7/Gt7Driver.ts"
import { needing } from "../../support/needing.ts"
import { capturesHere } from "../../support/sharedData.ts"
import { eventsOfCapture, readCapture } from "../../simulators/captures/captures.ts"
import { linkOptions, opened } from "../../simulators/drivers/interpreting.ts"
import { eventsOf, recorded } from "../../simulators/drivers/suite/events.ts"
import { drive } from "../lapData.ts"
import { drivenLaps, START, withoutAnyMistake } from "../sessions.ts"
import { withRows, withWheels } from "../companionChannels.ts"

const wish = { circuit: "Larkspur Park", vehicle: 1, seed: 27, hz: 10, laps: 6 }
const from = drive(wish.circuit, wish.vehicle, wish.seed)
const session = drivenLaps(wish)
const wheelsOf = (laps: ReadonlyArray<LapData>, kind = "wheel_speed") =>
  laps.map((data) => withWheels(data, from, START, kind))
const slipsOf = (laps: ReadonlyArray<LapData>) =>
  sessionAnomalies(1, laps).anomalies.filter(({ channel }) => /^(wheel|slip)_/.test(channel))
const spins = (laps: ReadonlyArray<LapData>) => slipsOf(laps).filter(({ type }) => type === "wheelspin")
const lockedUp = session.filter(({ driven }) => driven.mistake === "lock-up").map(({ lap }) => lap.id)

describe("wheels of a simulated drive", () => {
  it.each(["wheel_speed", "wheel_rotation", "slip_ratio"])(
    "that lock are found by %s, and no others",
    (kind) => {
      expect(lockedUp.length).toBeGreaterThan(0)
      const found = slipsOf(wheelsOf(session, kind))
      expect(found.map(({ lapId }) => lapId).sort((a, b) => a - b)).toEqual(lockedUp)
      for (const { channel, description, type } of found) {
        expect(type).toBe("lock_up_or_spin")
        expect(channel).toMatch(new RegExp(`^${kind}_f[lr]$`))
        expect(description).toMatch(/locked the front left and front right wheels/)
      }
    }
  )

  it("are reported as one event with its cost", () => {
    const of = sessionAnomalies(1, wheelsOf(session)).anomalies.filter(
      ({ lapId, type }) => lapId === lockedUp[0] && type === "lock_up_or_spin"
    )
    expect(of).toHaveLength(1)
    expect(of[0]!.cost).toBeGreaterThan(0.1)
    expect(of[0]!.value!).toBeLessThan(0.6 * of[0]!.expected!)
  })

  it("are not reported in laps without a mistake", () => {
    const clean = drivenLaps({ ...wish, seed: 8123, laps: 4, taken: withoutAnyMistake() })
    const own = drive(wish.circuit, wish.vehicle, 8123)
    expect(slipsOf(clean.map((data) => withWheels(data, own, START)))).toEqual([])
  })

  /** The rear left wheel `times` as fast as the car between two times since each lap's start. */
  const reported = wheelsOf(session)
  const spun = (times: number, from: number, to: number, laps: ReadonlyArray<number>) =>
    reported.map((data) => {
      if (!laps.includes(data.lap.id)) return data
      const [{ batch, kinds }] = [data.around![0]!]
      const copy: RowBatch = new RowBatch(batch.length, batch.data.slice(), batch.channels)
      const rear = copy.column("wheel_speed_rl")
      copy.timestamps.forEach((time, i) => {
        if (time >= data.lap.startTime + from && time < data.lap.startTime + to) rear[i] = rear[i]! * times
      })
      return { ...data, around: [{ batch: copy, kinds }] }
    })
  // Without the first lap, which begins from standing and passes places later.
  const ids = session.map(({ lap }) => lap.id).slice(1)

  it("that spin are found if the others' do not, and are usual if they do", () => {
    const [own] = spins(spun(1.5, 20, 20.6, [ids[4]!]))
    expect(own).toMatchObject({ lapId: ids[4], channel: "wheel_speed_rl" })
    expect(own!.description).toMatch(/spun the rear left wheel at \d+ m for 0\.5\d s/)
    expect(own!.duration).toBeCloseTo(0.6, 1)
    expect(spins(spun(1.5, 20, 20.6, ids))).toEqual([])
    // A kerb, and a sensor that is always wrong.
    expect(spins(spun(1.5, 20, 20.15, [ids[4]!]))).toEqual([])
    expect(spins(spun(1.5, 10, 25, [ids[4]!]))).toEqual([])
    expect(spins(spun(1.5, 0, 1000, ids))).toEqual([])
  })

  it("are not analysed if a session lacks one of the four", () => {
    const reported = new Set(["wheel_speed_fl", "wheel_speed_fr", "wheel_speed_rl", "slip_ratio_fl"])
    expect(slipChannels((name) => reported.has(name))).toEqual([])
    expect(slipChannels((name) => name.startsWith("slip_ratio_") || reported.has(name))[0]).toBe(
      "slip_ratio_fl"
    )
  })
})

const lapOf = (events: ReturnType<typeof eventsOfCapture>): LapData => {
  const { batch: points } = recorded(events)[0]!
  const samples = eventsOf(events, "Samples").filter(({ group }) => group === "wheels")
  const names = slipChannels((name) => samples[0]!.batch.channels.includes(name))
  const times = points.timestamps
  const lap = { id: 1, sessionId: 1, lapNumber: 1, lapTime: null, valid: false } as const
  const sectors = { sector1Time: null, sector2Time: null, sector3Time: null }
  return withRows(
    { lap: { ...lap, ...sectors, startTime: times[0]!, endTime: times.at(-1)! }, points },
    RowBatch.concat(samples.map(({ batch }) => batch.only(["timestamp", ...names])))
  )
}

describe("wheels of real games", needing(capturesHere), () => {
  it("Assetto Corsa at Monza: one front wheel stands in the braking for the second chicane", () => {
    const interpreter = opened(new AssettoCorsaInterpreter(linkOptions()))
    const names = { carName: "ks_audi_r8_lms", driverName: "Ana", trackName: "monza", trackConfig: "" }
    const data = lapOf(
      eventsOfCapture(interpreter, [
        { time: 0, bytes: encodeAnswer(names) },
        ...readCapture("assetto-corsa-monza")
      ])
    )
    const [found, ...more] = slipsOf([data])
    expect(more).toEqual([])
    expect(found).toMatchObject({ type: "lock_up_or_spin", channel: "wheel_speed_fl", value: 0 })
    const { points } = data
    const at = points.timestamps.findIndex((time) => time >= found!.timestamp)
    // The pedal's anomalies, in which the wheels have no part.
    expect(points.column("brake")[at]!).toBeGreaterThan(0.7)
  })

  it("Gran Turismo 7 at Spa: the driven wheels spin, and the engine turns too fast to the same degree", () => {
    const captured = readCapture("gt7-spa-format-c-plain")
    const data = lapOf(
      eventsOfCapture(
        opened(gt7.conversation(linkOptions({ options: { replays: true } }))),
        captured.map(({ bytes, time }) => ({ time, bytes: encrypt(bytes, "C") }))
      )
    )
    const [found, ...more] = slipsOf([data])
    expect(more).toEqual([])
    expect(found).toMatchObject({ type: "wheelspin" })
    expect(found!.description).toMatch(/rear left and rear right/)
    const { points } = data
    const ratio = (i: number) => points.column("rpm")[i]! / points.column("speed")[i]!
    const gear = points.column("gear")
    const within = [...points.timestamps.keys()].filter(
      (i) =>
        points.timestamps[i]! >= found!.timestamp &&
        points.timestamps[i]! <= found!.timestamp + found!.duration
    )
    const middle = within[within.length >> 1]!
    const usual = [...gear.keys()]
      .filter((i) => gear[i] === gear[middle] && points.column("throttle")[i]! < 0.3)
      .map(ratio)
      .sort((a, b) => a - b)
    expect(ratio(middle) / usual[usual.length >> 1]!).toBeGreaterThan(1.2)
  })

  it("DiRT Rally 2.0 on gravel: slip is the usual way to drive, and none is reported", () => {
    const events = eventsOfCapture(
      dirtRally2.interpreter(linkOptions()),
      readCapture("dirt-rally-2-noorinbee")
    )
    expect(slipsOf([lapOf(events)])).toEqual([])
  })
})
