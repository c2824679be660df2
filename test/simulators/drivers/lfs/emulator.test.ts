/** Live for Speed: drives of the emulator with other splits, spoilt laps, a mod, and TCP in pieces. */
import { describe, expect, it } from "vitest"
import type { DrivenLap } from "../../../../simulator/model/lap.ts"
import { drive } from "../suite/drive.ts"
import { eventsOf, recorded } from "../suite/events.ts"
import { lfs } from "./game.ts"

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

describe("emulated", () => {
  it.each([0, 1, 2] as const)("a track with %i splits", (splits) => {
    const { events, laps } = drive(lfs({ splits }), { laps: 3 })
    const reported = recorded(events)[0]!.reported
    expect(reported.map(({ sectors }) => sectors)).toEqual(
      laps.map((lap) => {
        const cut = cutOf(lap, splits)
        return [cut.sector1Time, cut.sector2Time, cut.sector3Time]
      })
    )
  })

  it("a spoilt lap is not valid, and the next one is again", () => {
    const { events, laps } = drive(lfs({}), { laps: 40 })
    const valid = laps.map((lap) => lap.valid)
    expect(new Set(valid)).toEqual(new Set([true, false]))
    expect(recorded(events)[0]!.reported.map((lap) => lap.valid)).toEqual(valid)
  })

  it("speaks in whatever pieces TCP makes, with packets that nobody knows, of a mod's car", () => {
    const game = { split: true, unknownPackets: true, mod: 0x4c2a1b, keepAliveEvery: 2 }
    const { events, laps, sent } = drive(
      lfs(game, "lfs", {}, { appName: "A name of far more than 15 bytes" })
    )
    expect(sent[0]!.toString("latin1", 28)).toBe("A name of far m\0")
    const keepAlives = sent.filter((bytes) => bytes.equals(Buffer.from("01030000", "hex")))
    expect(keepAlives.length).toBeGreaterThan(50)
    const [session] = recorded(events)
    expect(session!.vehicle).toBe("4C2A1B")
    for (const [n, lap] of laps.entries()) {
      const { endTime, startTime, ...cut } = session!.laps[n]!
      expect(cut).toEqual(cutOf(lap))
      expect(Math.abs(endTime - startTime - lap.lapTime)).toBeLessThan(0.06)
    }
    expect(eventsOf(events, "Refused")).toEqual([])
  })
})
