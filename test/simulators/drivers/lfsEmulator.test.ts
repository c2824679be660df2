import { describe, expect, it } from "vitest"
import type { Channel } from "../../../src/domain/pointChannels.ts"
import type { DrivenLap } from "../../../simulator/model/lap.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import { GAME_RATE, pausedAndRestarted, scene } from "./emulating.ts"
import { driveLfs } from "./lfsLink.ts"
import { discarded, eventsOf, type RecordedSession, recorded, signedArea } from "./recorded.ts"

const ms = (seconds: number) => Math.round(seconds * 1000) / 1000

/** A lap as it is recorded: its parts are whole milliseconds too, and add up to it. */
const cutOf = ({ lapNumber, lapTime, sectors: [one, two], valid }: DrivenLap, splits = 2) => {
  const at1 = ms(one)
  const at2 = ms(one + two)
  const whole = ms(lapTime)
  const sectors = [
    [null, null, null],
    [at1, ms(whole - at1), null],
    [at1, ms(at2 - at1), ms(whole - at2)]
  ][splits]!
  return {
    lapNumber,
    lapTime: whole,
    sector1Time: sectors[0],
    sector2Time: sectors[1],
    sector3Time: sectors[2],
    sectorSource: "simulator",
    valid
  }
}

/** Most that a column is off what was driven at that moment of the race. */
const offBy = (
  { batch }: RecordedSession,
  frames: ReadonlyArray<Frame>,
  channel: Channel,
  of: (frame: Frame) => number
) => {
  const byTime = new Map(frames.map((frame) => [Math.round(frame.sessionTime * 1000), frame]))
  const zero = batch.timestamps[0]! - frames[0]!.sessionTime
  let most = 0
  batch.column(channel).forEach((value, i) => {
    const frame = byTime.get(Math.round((batch.timestamps[i]! - zero) * 1000))
    most = Math.max(most, frame === undefined ? Infinity : Math.abs(value - of(frame)))
  })
  return most
}

const expectLaps = ({ laps }: RecordedSession, driven: ReadonlyArray<DrivenLap>) => {
  for (const [n, lap] of driven.entries()) {
    const { endTime, startTime, ...cut } = laps[n]!
    expect(cut).toEqual(cutOf(lap))
    expect(Math.abs(endTime - startTime - lap.lapTime)).toBeLessThan(0.04)
  }
}

describe("emulated", () => {
  it.each(["classic", "full", "elsewhere"] as const)("three laps, OutSim %s", (outSim) => {
    const { driven, events, frames } = driveLfs({ game: { outSim }, frames: { rate: GAME_RATE } })
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(session!.circuit).toBe("Fern Bay Club reversed")
    expect(session!.vehicle).toBe("Formula V8")
    expect(eventsOf(events, "SessionStarted")[0]!.driver).toBe(scene.driver)
    expect(eventsOf(events, "SessionEnded")).toHaveLength(1)
    expect(driven[0]).toHaveLength(3)
    expectLaps(session!, driven[0]!)
    // Where only MCI tells the position, the first OutGauge packet comes before one.
    const reported = frames.filter(
      ({ sessionTime }, n) => sessionTime * 1000 < 4e9 && (outSim !== "elsewhere" || n > 0)
    )
    const off = (channel: Channel, of: (frame: Frame) => number) => offBy(session!, reported, channel, of)
    expect(off("speed", ({ speed }) => speed)).toBeLessThan(0.0001)
    expect(off("rpm", ({ rpm }) => rpm)).toBeLessThan(0.01)
    expect(off("gear", ({ gear }) => gear)).toBe(0)
    expect(off("throttle", ({ throttle }) => throttle)).toBeLessThan(1e-6)
    expect(off("brake", ({ brake }) => brake)).toBeLessThan(1e-6)
    const isAbsent = session!.batch.column("steering").every(Number.isNaN)
    expect(isAbsent ? "not reported" : off("steering", ({ steering }) => steering) < 1e-6).toBe(
      outSim === "full" ? true : "not reported"
    )
    // MCI comes after OutGauge here: each position is that of a moment, one interval ago.
    const exact = outSim === "elsewhere" ? 1.7 : 0.0001
    expect(off("position_x", ({ x }) => x)).toBeLessThan(exact)
    expect(off("position_y", ({ y }) => y)).toBeLessThan(exact)
    expect(off("position_z", ({ z }) => z)).toBeLessThan(exact)
    const lap2 = session!.batch.pick(session!.lapNumber.flatMap((number, i) => (number === 2 ? [i] : [])))
    const { x, y } = scene.circuit
    const area = signedArea(lap2.column("position_x"), lap2.column("position_y"))
    expect(area / signedArea(x, y)).toBeCloseTo(1, 1)
    expect(session!.lapDistance.every(Number.isFinite)).toBe(outSim === "full")
  })

  it.each([0, 1, 2] as const)("a track with %i splits", (splits) => {
    const { driven, events } = driveLfs({ game: { splits } })
    const reported = recorded(events)[0]!.reported
    expect(reported.map(({ sectors }) => sectors)).toEqual(
      driven[0]!.map((lap) => {
        const cut = cutOf(lap, splits)
        return [cut.sector1Time, cut.sector2Time, cut.sector3Time]
      })
    )
  })

  it("a spoilt lap is not valid, and the next one is again", () => {
    const { driven, events } = driveLfs({ frames: { laps: 40, rate: 20 } })
    const valid = driven[0]!.map((lap) => lap.valid)
    expect(new Set(valid)).toEqual(new Set([true, false]))
    expect(recorded(events)[0]!.reported.map((lap) => lap.valid)).toEqual(valid)
  })

  it.each(["classic", "elsewhere"] as const)(
    "what UDP does to datagrams, OutSim %s: the laps stay right",
    (outSim) => {
      const faults = { loss: 0.02, reorder: 0.02, duplicate: 0.02, garbage: 0.01 }
      const { driven, events, frames } = driveLfs({
        faults,
        game: { outSim },
        frames: { rate: GAME_RATE, laps: 2 }
      })
      const sessions = recorded(events)
      expect(sessions).toHaveLength(1)
      expectLaps(sessions[0]!, driven[0]!)
      const racing = frames.filter(({ finished }) => !finished).length
      expect(sessions[0]!.batch.length).toBeGreaterThan(racing * 0.94)
      expect(discarded(events)).toBeGreaterThan(racing * 0.02)
      expect(eventsOf(events, "Refused").length).toBeGreaterThan(racing * 0.005)
      if (outSim === "elsewhere") return
      // A position that was lost is that of the packet before, followed at its velocity.
      expect(offBy(sessions[0]!, frames, "position_x", ({ x }) => x)).toBeLessThan(0.05)
      expect(offBy(sessions[0]!, frames, "position_y", ({ y }) => y)).toBeLessThan(0.05)
    }
  )

  it("pauses without a gap, and restarts with another session", () => {
    const frames = { ...pausedAndRestarted, rate: GAME_RATE }
    const { driven, events } = driveLfs({ frames })
    expect(eventsOf(events, "SessionEnded")).toHaveLength(2)
    const sessions = recorded(events)
    expect(sessions).toHaveLength(2)
    for (const [s, session] of sessions.entries()) {
      expect(driven[s]!.length).toBeGreaterThan(0)
      expect(session.reported).toHaveLength(driven[s]!.length)
      expectLaps(session, driven[s]!)
      const times = session.batch.timestamps
      expect(times.every((time, i) => i === 0 || time - times[i - 1]! < 0.035)).toBe(true)
    }
    expect(sessions[1]!.batch.timestamps[0]).toBeGreaterThan(sessions[0]!.batch.timestamps.at(-1)!)
    // TCP is not faster than UDP: the first packet of the pause is there before the word of it.
    expect(discarded(events)).toBe(1)
  })

  it("speaks in whatever pieces TCP makes, with packets that nobody knows, of a mod's car", () => {
    const game = { split: true, unknownPackets: true, mod: 0x4c2a1b, keepAliveEvery: 2 }
    const { driven, events, link } = driveLfs({
      game,
      options: { appName: "A name of far more than 15 bytes" }
    })
    expect(link.isClosed()).toBe(false)
    expect(link.fromService[0]!.toString("latin1", 28)).toBe("A name of far m\0")
    expect(
      link.fromService.filter((bytes) => bytes.equals(Buffer.from("01030000", "hex"))).length
    ).toBeGreaterThan(50)
    const [session] = recorded(events)
    expect(session!.vehicle).toBe("4C2A1B")
    expectLaps(session!, driven[0]!)
    expect(eventsOf(events, "Refused")).toEqual([])
  })
})
