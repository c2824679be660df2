/** REST and tRPC each have a word of their own for a kind of failure: the status must be the same, by tRPC's own table. */
import { expect, it } from "@effect/vitest"
import { TRPCError } from "@trpc/server"
import { getHTTPStatusCodeFromError } from "@trpc/server/http"
import { answerOf } from "../../src/api/problems.ts"
import type { ProblemKind } from "../../src/operations/problems.ts"
import { codeOf } from "../../src/api/trpc/errors.ts"

it("gives a problem the same status over REST and tRPC", () => {
  const kinds = Object.keys(codeOf) as ReadonlyArray<ProblemKind>
  expect(kinds.length).toBeGreaterThan(5)
  for (const kind of kinds) {
    const { status } = answerOf({ kind, sentence: "" })
    expect([kind, status]).toEqual([kind, getHTTPStatusCodeFromError(new TRPCError({ code: codeOf[kind] }))])
  }
})
