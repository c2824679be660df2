/** The imports of the same bytes that a service, or a data folder, already has. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { lockWhole } from "../../app/folder/FolderLock.ts"
import { isNew } from "../../app/folder/nodeFile.ts"
import { FileImport } from "../../domain/FileImport.ts"
import { fromWire } from "../../platform/wire.ts"
import { FileImports } from "../../store/FileImports.ts"
import * as SqliteStore from "../../store/sqlite/SqliteStore.ts"
import { request, type Target } from "../service.ts"

const decode = Schema.decodeUnknown(fromWire(Schema.Struct({ items: Schema.Array(FileImport) })))

/** More imports of the same bytes are not looked through. */
const MAX_SAME = 100

/** The imports in an answer that lists some. */
export const importsIn = (answer: Response) =>
  Effect.map(
    Effect.orDie(
      Effect.flatMap(
        Effect.promise(() => answer.json()),
        decode
      )
    ),
    ({ items }) => items
  )

/** The number of the import of these bytes; undefined without one whose sessions still exist. */
export const knownTo = Effect.fnUntraced(function* (target: Target, sha256: string) {
  const answer = yield* request(target, `/imports?sha256=${sha256}&limit=${MAX_SAME}`, {})
  const imports = yield* importsIn(answer)
  return imports.find(({ finished, sessions }) => finished !== null && sessions.length > 0)?.id
})

/** The same for a data folder, which is open as long as the scope; a folder without a store knows none. */
export const knownIn = Effect.fnUntraced(function* (data: string) {
  if (isNew(data)) return () => Effect.succeed(undefined)
  yield* lockWhole(data)
  const { importOf } = Context.get(yield* Layer.build(SqliteStore.layer(data)), FileImports)
  return (sha256: string) => Effect.map(importOf(sha256), (found) => Option.getOrUndefined(found)?.id)
})
