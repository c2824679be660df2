/** A lap of Spa in Gran Turismo 7, a replay, from packets of the console: what the driver makes of it, against the circuit. */
import { describe, expect, it } from "vitest"
import { encrypt } from "../../../simulator/emulators/gt7/packets.ts"
import { protocol as gt7 } from "../../../src/simulators/drivers/gt7/Gt7Driver.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import { recorded } from "../drivers/recorded.ts"
import { heardOf, readCapture } from "./captures.ts"
import { expectOnCircuit, lapOf, rangeOf, steeredOf } from "./oracle.ts"
import { needing } from "../../runner/needing.ts"
import { capturesHere } from "../../runner/sharedData.ts"

const captured = () =>
  readCapture("gt7-spa-format-c-plain").map(({ bytes, time }) => ({ time, bytes: encrypt(bytes, "C") }))
const played = (replays?: boolean) => {
  const extras = replays === undefined ? {} : { replays }
  return heardOf(
    gt7.conversation(linkOptions({ extras }), () => undefined),
    captured()
  )
}

describe("a lap of Spa in Gran Turismo 7", needing(capturesHere), () => {
  it("is nothing to record without a word, for it is a replay", () => {
    for (const events of [played(), played(false)]) expect(events).toEqual([])
  })

  it("is one session with the lap's time", () => {
    const events = played(true)
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(events.map(({ _tag }) => _tag).filter((tag) => tag !== "Points")).toEqual([
      "SessionStarted",
      "LapCompleted"
    ])
    expect(session!.vehicle).toBe("GT7 car 3582")
    expect(session!.laps.map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([
      [1, 115.244],
      [2, null]
    ])
    expect(session!.batch.length).toBe(6914)
    expect(session!.missing).toBe(0)
    expect(rangeOf(session!.batch, "speed")).toEqual([expect.closeTo(65, 0), expect.closeTo(318, 0)])
  })

  it("lies on Spa, and is steered to where it bends", () => {
    const lap = lapOf(recorded(played(true))[0]!, 1)
    expectOnCircuit(lap, "Spa")
    const { left, right, share } = steeredOf(lap)
    expect(share).toBeGreaterThan(0.95)
    expect(Math.min(left, right)).toBeGreaterThan(500)
  })
})
