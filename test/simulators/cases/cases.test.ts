/** Every case has the right outcome, from the datagram to the catalog. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../../support/needing.ts"
import { casesHere } from "../../support/sharedData.ts"
import { faultsOfCase, readCases } from "./cases.ts"

describe("the smallest inputs that once had a wrong outcome", needing(casesHere), () => {
  it.live("have the right one", () =>
    Effect.gen(function* () {
      const wrong: Record<string, ReadonlyArray<string>> = {}
      const cases = readCases()
      for (const [name, right, file] of cases) {
        const faults = yield* faultsOfCase(right, file)
        if (faults.length > 0) wrong[name] = faults
      }
      expect(wrong).toEqual({})
      expect(cases.length).toBeGreaterThanOrEqual(46)
    })
  )
})
