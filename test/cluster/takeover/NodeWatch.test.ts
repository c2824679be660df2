/** Which nodes count as stopped. */
import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { LOOK_EVERY_MS, NodeWatch } from "../../../src/cluster/takeover/NodeWatch.ts"
import type { NodeState } from "../../../src/store/Nodes.ts"

const state = (node: string, beat: number, holder = "process"): NodeState => ({
  node,
  holder,
  described: "",
  url: null,
  version: "",
  lease: 3,
  beat,
  taken: 0,
  silent: 0
})

const namesOf = (found: ReturnType<NodeWatch["see"]>) => found.map((one) => one.state.node)

it("is every node whose row has looked the same for 3 s, and no other", () => {
  const watch = new NodeWatch()
  for (let n = 0; n < 20; n++) {
    const now = n * LOOK_EVERY_MS
    // The first beats, the second stopped at its second look, the third is another process from the fifth look on.
    const states = [state("beats", n), state("stops", Math.min(n, 1)), state("new", 0, n < 5 ? "old" : "new")]
    const expected = [...(n >= 7 ? ["stops"] : []), ...(n >= 11 ? ["new"] : [])]
    expect([n, namesOf(watch.see(states, now))]).toEqual([n, expected])
  }
})

it("is one of which others take their parts until it is back, and none of those that take", () => {
  const watch = new NodeWatch()
  const seen = Array.from({ length: 24 }, (_, n) => {
    // From the ninth look on it has the process of a node that took a part of it; from the thirteenth it is back and beats again.
    const taken: NodeState = { ...state("stops", n, "taker"), silent: null }
    const stops = n < 8 ? state("stops", 0) : n < 12 ? taken : state("stops", n < 14 ? n : 14)
    return namesOf(watch.see([stops, state("takes", n, "taker")], n * LOOK_EVERY_MS)).length
  })
  expect(seen).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
})

it("is nobody after a failed look, or a pause, for another 3 s", () => {
  for (const disturb of [
    (watch: NodeWatch) => {
      watch.failed()
      return 0
    },
    () => 2000
  ]) {
    const watch = new NodeWatch()
    let now = 0
    for (let n = 0; n <= 6; n++) watch.see([state("a", 1)], (now += LOOK_EVERY_MS))
    expect(namesOf(watch.see([state("a", 1)], (now += LOOK_EVERY_MS)))).toEqual(["a"])
    now += disturb(watch)
    const found = Array.from({ length: 8 }, () => namesOf(watch.see([state("a", 1)], (now += LOOK_EVERY_MS))))
    expect(found.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 0, 1, 1])
  }
})

it("is never a node that has renewed its lease within the time, whatever fails", () => {
  const step = FastCheck.record({
    wait: FastCheck.integer({ min: 1, max: 2500 }),
    beats: FastCheck.boolean(),
    fails: FastCheck.nat(9).map((n) => n === 0)
  })
  FastCheck.assert(
    FastCheck.property(FastCheck.array(step, { maxLength: 60 }), (steps) => {
      const watch = new NodeWatch()
      let [now, beat, changed] = [0, 0, 0]
      for (const { beats, fails, wait } of steps) {
        now += wait
        if (beats) [beat, changed] = [beat + 1, now]
        if (fails) watch.failed()
        const found = fails ? [] : namesOf(watch.see([state("a", beat)], now))
        expect(found.length > 0 && now - changed < 3000).toBe(false)
      }
    })
  )
})
