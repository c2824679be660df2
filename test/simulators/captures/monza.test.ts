/** A lap of Monza in Assetto Corsa, from packets of the game: what the driver makes of it, against the circuit itself. */
import { describe, expect, it } from "vitest"
import { encodeAnswer } from "../../../simulator/emulators/assetto-corsa/encode.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import { discarded, eventsOf, recorded } from "../drivers/recorded.ts"
import { heardOf, readCapture } from "./captures.ts"
import { expectOnCircuit, lapOf, rangeOf, steeredOf } from "./oracle.ts"
import { needing } from "../../runner/needing.ts"
import { capturesHere } from "../../runner/sharedData.ts"

const played = () => {
  const interpreter = new AssettoCorsaInterpreter(linkOptions(), () => undefined)
  const names = { car: "ks_audi_r8_lms", driver: "Ana", track: "monza", config: "" }
  const captured = readCapture("assetto-corsa-monza")
  return heardOf(interpreter, [{ time: 0, bytes: encodeAnswer(names) }, ...captured])
}

describe("a lap of Monza in Assetto Corsa", needing(capturesHere), () => {
  it("is one session with the lap's official time, and what was driven of the next one", () => {
    const events = played()
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(eventsOf(events, "Refused")).toEqual([])
    expect(session!.told.map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([[1, 344.684]])
    expect(session!.laps.map(({ lapNumber, lapTime, valid }) => [lapNumber, lapTime, valid])).toEqual([
      // Heard from 212 s on.
      [1, 344.684, false],
      [2, null, false]
    ])
    const { batch } = session!
    expect(rangeOf(batch, "speed")).toEqual([expect.closeTo(0, 2), expect.closeTo(252.2, 1)])
    expect(rangeOf(batch, "rpm")).toEqual([expect.closeTo(1700, -1), expect.closeTo(7959, 0)])
    expect(rangeOf(batch, "gear")).toEqual([0, 5])
    expect(rangeOf(batch, "throttle")).toEqual([0, 1])
    // Packets of the pause of 12 s at the end, which all say the same, are neither points nor a gap.
    expect(batch.length + discarded(events)).toBeLessThanOrEqual(8641)
    const steps = batch.timestamps.slice(1).map((time, i) => time - batch.timestamps[i]!)
    expect(Math.max(...steps)).toBeLessThan(0.3)
  })

  it("lies on Monza, and is steered to where it bends", () => {
    const lap = lapOf(recorded(played())[0]!, 1)
    expectOnCircuit(lap, "Monza")
    const { left, right, share } = steeredOf(lap)
    expect(share).toBeGreaterThan(0.95)
    expect(Math.min(left, right)).toBeGreaterThan(500)
  })
})
