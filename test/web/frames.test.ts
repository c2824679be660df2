/** The loop over frames that all moving elements share, with frames of the test's own. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"

/** Imported by its address: it is browser code, whose types differ from those of the tests. */
const { eachFrame } = (await import(new URL("../../web/src/live/frames.ts", import.meta.url).href)) as {
  readonly eachFrame: (painter: (now: number) => void) => () => void
}

const requested: Array<(now: number) => void> = []
const reported: Array<unknown> = []

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", (paint: (now: number) => void) => requested.push(paint))
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error))
})

afterEach(() => void vi.unstubAllGlobals())

const frame = (now: number) => {
  for (const paint of requested.splice(0)) paint(now)
}

it("the loop goes on for all painters if one of them fails, which is reported", () => {
  const painted: Array<number> = []
  const wrong = new Error("it has nothing to paint on")
  const stops = [
    eachFrame(() => {
      throw wrong
    }),
    eachFrame((now) => painted.push(now))
  ]
  frame(1)
  frame(2)
  expect([painted, reported]).toEqual([
    [1, 2],
    [wrong, wrong]
  ])
  for (const stop of stops) stop()
  frame(3)
  expect([painted, requested]).toEqual([[1, 2], []])
})
