import { describe, expect, it } from "vitest"
import { sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import { slower, type Span } from "../faults.ts"
import { drivenLaps, withoutMistake } from "../sessions.ts"
import { uniform } from "../uniform.ts"

describe.each([
  ["Hollin Moor", 10, 5],
  ["Larkspur Park", 4, 10]
] as const)("the cost of a slow stretch at %s, %i Hz, of %i laps", (circuit, hz, count) => {
  const session = drivenLaps({
    circuit,
    hz,
    laps: count,
    seed: 7,
    taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap)
  })

  // Guards against seconds with three digits of which the first is wrong.
  it("lies within its stated uncertainty, and has no more digits", () => {
    const next = uniform(3)
    let reported = 0
    let within = 0
    for (let run = 0; run < 15; run++) {
      const l = Math.floor(next() * session.length)
      const one = session[l]!
      const seconds = 1.5 + 3 * next()
      const factor = 1.15 + 0.25 * next()
      const from = 5 + next() * (one.lap.lapTime! - 15)
      const span: Span = [from, from + seconds]
      const spoilt = session.map((lap, other) => (other === l ? slower(lap, span, factor) : lap))
      const found = sessionAnomalies(1, spoilt).anomalies.find(
        ({ lapId, type }) => lapId === one.lap.id && (type === "speed_loss" || type === "lock_up_or_spin")
      )
      if (found === undefined) continue
      reported++
      const truth = (factor - 1) * seconds
      if (Math.abs(found.cost! - truth) <= found.costUncertainty!) within++
      const digits = String(found.cost).split(".")[1]?.length ?? 0
      expect(10 ** -Math.max(1, digits) * 10).toBeGreaterThan(Math.min(1, found.costUncertainty!))
    }
    expect(reported).toBeGreaterThan(10)
    expect(within / reported).toBeGreaterThanOrEqual(0.8)
  })
})
