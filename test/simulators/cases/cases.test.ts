/** Every case comes out right, from the datagram to the catalog, except those that are known to come out wrong. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../../runner/needing.ts"
import { casesHere } from "../../runner/sharedData.ts"
import { faultsOfCase, readCases } from "./cases.ts"

/** Whoever mends one takes it off the list. */
const stillWrong: ReadonlyArray<string> = ["lfs-taken-over", "pc2-connect-in-a-replay", "pc2-index-moves"]

describe("the smallest inputs that went wrong", needing(casesHere), () => {
  it.live("come out right, except those that are known to come out wrong", () =>
    Effect.gen(function* () {
      const unexpected: Record<string, ReadonlyArray<string>> = {}
      const cases = readCases()
      for (const name of stillWrong) {
        if (!cases.some(([other]) => other === name)) unexpected[name] = ["is no case"]
      }
      for (const [name, right, file] of cases) {
        const faults = yield* faultsOfCase(right, file)
        if (stillWrong.includes(name)) {
          if (faults.length === 0) unexpected[name] = ["right now: take it off the list"]
        } else if (faults.length > 0) unexpected[name] = faults
      }
      expect(unexpected).toEqual({})
    })
  )
})
