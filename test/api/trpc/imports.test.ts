/** Imports of files over tRPC: their list, their end, and their changes. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { recordingText } from "../../imports/recordingText.ts"
import { inside, serviceInside } from "../../support/inside.ts"
import { clientOf, subscribed, until } from "./support.ts"

interface ChangeEvent {
  readonly data: {
    readonly id: number
    readonly import: { readonly name: string; readonly state: string; readonly rows: number } | null
  }
}

inside("the subscription sends the imports of a batch at once, and again until they have ended", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const client = clientOf(running)
    const upload = (name: string, batch: string, driver: string) =>
      running.json(`/api/v1/imports?name=${name}&batch=${batch}`, {
        method: "POST",
        body: recordingText(2, driver)
      })
    yield* upload("early.ndjson", "one", "Anna")
    yield* upload("other.ndjson", "two", "Bea")
    const watched = yield* subscribed<ChangeEvent>((handlers) =>
      client.imports.changes.subscribe({ batch: "one" }, handlers)
    )
    const newest = () => new Map(watched.events.map(({ data }) => [data.id, data.import]))
    const states = () => [...newest().values()].map((found) => found && `${found.name} ${found.state}`)
    yield* until(() => states().join() === "early.ndjson done")
    yield* upload("late.ndjson", "one", "Cleo")
    yield* until(() => states().join() === "early.ndjson done,late.ndjson done")
    const [early, late] = newest().keys()
    expect(newest().get(late!)).toMatchObject({ rows: 2000 })
    const { items, total } = yield* Effect.promise(() => client.imports.list.query({ batch: "one" }))
    expect([total, items.map(({ id }) => id)]).toEqual([2, [late, early]])
    yield* Effect.promise(() => client.imports.delete.mutate({ importId: early! }))
    yield* until(() => newest().get(early!) === null)
    expect(states()).toEqual([null, "late.ndjson done"])
  })
)
