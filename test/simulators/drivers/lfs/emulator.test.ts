/** Live for Speed: drives of the emulator with other splits, spoilt laps, a mod, and TCP in pieces. */
import { describe, expect, it } from "vitest"
import type { DrivenLap } from "../../../../simulator/model/lap.ts"
import { driveLfs } from "./link.ts"
import { eventsOf, type RecordedSession, recorded } from "../suite/events.ts"

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

const expectLaps = ({ laps }: RecordedSession, driven: ReadonlyArray<DrivenLap>) => {
  for (const [n, lap] of driven.entries()) {
    const { endTime, startTime, ...cut } = laps[n]!
    expect(cut).toEqual(cutOf(lap))
    expect(Math.abs(endTime - startTime - lap.lapTime)).toBeLessThan(0.04)
  }
}

describe("emulated", () => {
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
