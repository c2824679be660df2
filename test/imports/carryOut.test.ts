/** Commands of imports, carried out on a queue without a catalog. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { carryOut } from "../../src/imports/carryOut.ts"
import { QueueState } from "../../src/imports/queueState.ts"

it.effect("a thousand uploads may wait, and one more is refused", () =>
  Effect.gen(function* () {
    const state = new QueueState()
    let id = 0
    const imports = { addImport: () => Effect.sync(() => ({ id: ++id, batch: null })) }
    const change = carryOut({
      state,
      imports: imports as never,
      folder: {} as never,
      cutAnew: () => Effect.die("no laps are cut here"),
      wake: Effect.void,
      changed: () => {}
    })
    const add = change({ type: "add", name: "a.csv", options: {}, size: 1 } as never)
    yield* Effect.repeatN(add, 999)
    expect(state.uploading.size).toBe(1000)
    expect(yield* Effect.flip(add)).toMatchObject({ _tag: "TooManyImports", limit: 1000 })
  })
)
