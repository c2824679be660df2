/** Imports of files as a subscription: their state immediately, and again when it changes, twice a second at most. */
import { Clock, Effect, Schema } from "effect"
import { FileImport } from "../../domain/FileImport.ts"
import { Id } from "../../domain/Id.ts"
import { ImportCommands } from "../../imports/ImportCommands.ts"
import { withReceived } from "../../operations/imports.ts"
import { toJson } from "../../platform/wire.ts"
import { FileImports } from "../../store/FileImports.ts"

const PAUSE_MS = 500

/** The imports that a subscription begins with: all of a batch, or else the newest. */
const MAX_FIRST = 1000
const NEWEST = 100

/** `import`: null if it was forgotten. */
const Change = Schema.Struct({ id: Id, import: Schema.NullOr(FileImport) })
const encode = toJson(Change)

/** Succeeds with an Effect that reads the next changes. Of a client that is behind, each import has its newest state. */
export const importChanges = Effect.fnUntraced(function* ({
  batch
}: {
  readonly batch?: string | undefined
}) {
  const { watch } = yield* ImportCommands
  const imports = yield* FileImports
  const changed = new Set<number>()
  /** Those that the client knows. */
  const sent = new Set<number>()
  const more = yield* Effect.makeLatch(false)
  yield* watch((id) => {
    changed.add(id)
    more.unsafeOpen()
  })
  const all = Effect.gen(function* () {
    const limit = batch === undefined ? NEWEST : MAX_FIRST
    const { items } = yield* imports.fileImports({ batch, limit, offset: 0 })
    return items.toReversed().map((found) => ({ id: found.id, import: found }))
  })
  const stateOf = (id: number) =>
    imports.fileImport(id).pipe(
      Effect.map((found) => ({ id, import: found })),
      Effect.catchTag("ImportNotFound", () => Effect.succeed({ id, import: null }))
    )
  const isWanted = (change: typeof Change.Type) =>
    change.import === null ? sent.has(change.id) : batch === undefined || change.import.batch === batch
  let due = 0
  let isFirst = true
  const next = Effect.gen(function* () {
    if (!isFirst) {
      yield* more.await
      const now = yield* Clock.currentTimeMillis
      if (due > now) yield* Effect.sleep(due - now)
    }
    // Close before reading: a read may miss what changes while it runs.
    yield* more.close
    const ids = [...changed]
    changed.clear()
    const found = (yield* isFirst ? all : Effect.forEach(ids, stateOf)).filter(isWanted)
    isFirst = false
    due = (yield* Clock.currentTimeMillis) + PAUSE_MS
    for (const { id, import: there } of found) {
      if (there === null) sent.delete(id)
      else sent.add(id)
    }
    return yield* Effect.forEach(found, (change) =>
      change.import === null
        ? Effect.succeed(encode(change))
        : Effect.map(withReceived(change.import), (there) => encode({ ...change, import: there }))
    )
  })
  return Effect.repeat(next, { until: (changes) => changes.length > 0 })
})
