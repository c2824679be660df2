/** Operations on imports of files: what became of each file, and its end. uploads.ts has those that take a file. */
import { Effect, Schema } from "effect"
import { ImportNotFound } from "../domain/errors.ts"
import { FileImport, ImportState } from "../domain/FileImport.ts"
import { ImportCommands } from "../imports/ImportCommands.ts"
import { UploadFolder } from "../imports/uploads/UploadFolder.ts"
import { FileImports } from "../store/FileImports.ts"
import { ImportId, optionalChoice, optionalText, SessionId, wholeNumberOr } from "./fields.ts"
import { answered } from "./operation.ts"

const ImportList = Schema.Struct({
  total: Schema.Int.annotations({ description: "Number of all imports that were asked for" }),
  items: Schema.Array(FileImport)
}).annotations({ identifier: "ImportList" })

/** With the bytes that are here of a file that is being uploaded. */
export const withReceived = (found: FileImport) =>
  found.state === "uploading"
    ? Effect.flatMap(UploadFolder, ({ received }) =>
        Effect.map(received(found.id), (bytes): FileImport => ({ ...found, received: bytes }))
      )
    : Effect.succeed(found)

export const list = answered({
  input: Schema.Struct({
    limit: wholeNumberOr(50, 1, 1000, "Maximum number of imports"),
    offset: wholeNumberOr(0, 0, Number.MAX_SAFE_INTEGER, "Number of imports before the page"),
    state: optionalChoice(ImportState.literals, "Only imports in this state"),
    batch: optionalText("Only imports of this batch of uploads"),
    sha256: optionalText("Only imports of a file with these bytes, as hexadecimal digits"),
    sessionId: Schema.optional(SessionId)
  }),
  answer: ImportList,
  errors: [],
  run: (page) =>
    Effect.gen(function* () {
      const { items, total } = yield* (yield* FileImports).fileImports(page)
      return { total, items: yield* Effect.forEach(items, withReceived) }
    })
})

export const read = answered({
  input: Schema.Struct({ importId: ImportId }),
  answer: FileImport,
  errors: [ImportNotFound],
  run: ({ importId }) =>
    Effect.flatMap(FileImports, (imports) => Effect.flatMap(imports.fileImport(importId), withReceived))
})

export const remove = answered({
  input: Schema.Struct({ importId: ImportId }),
  answer: FileImport,
  errors: [ImportNotFound],
  run: ({ importId: id }) =>
    Effect.flatMap(ImportCommands, ({ change }) =>
      // Only a new file can be one too many, or cut laps.
      Effect.catchTags(change({ type: "remove", id }), {
        TooManyImports: Effect.die,
        LapsNotCut: Effect.die,
        SessionBeingRecorded: Effect.die
      })
    )
})
