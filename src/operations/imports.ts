/** Operations on imports of files: what became of each file. */
import { Effect, Schema } from "effect"
import { ImportNotFound } from "../domain/errors.ts"
import { FileImport } from "../domain/FileImport.ts"
import { FileImports } from "../store/FileImports.ts"
import { ImportId, wholeNumberOr } from "./fields.ts"
import { answered } from "./operation.ts"

const ImportList = Schema.Struct({
  total: Schema.Int.annotations({ description: "Number of all imports" }),
  items: Schema.Array(FileImport)
}).annotations({ identifier: "ImportList" })

export const list = answered({
  input: Schema.Struct({
    limit: wholeNumberOr(50, 1, 1000, "Maximum number of imports"),
    offset: wholeNumberOr(0, 0, Number.MAX_SAFE_INTEGER, "Number of imports before the page")
  }),
  answer: ImportList,
  errors: [],
  run: (page) => Effect.flatMap(FileImports, (imports) => imports.fileImports(page))
})

export const read = answered({
  input: Schema.Struct({ importId: ImportId }),
  answer: FileImport,
  errors: [ImportNotFound],
  run: ({ importId }) => Effect.flatMap(FileImports, (imports) => imports.fileImport(importId))
})
