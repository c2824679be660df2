/** Files that belong to another one: MoTeC's `.ldx` has the laps of the `.ld` of the same name. */
import { basename, extname } from "node:path"
import { Effect } from "effect"
import { FileImports } from "../store/FileImports.ts"
import { UploadFolder } from "./uploads/UploadFolder.ts"

export const LDX = { format: "motec-ldx", ending: ".ldx", of: "motec-ld" } as const

export const needsCompanion = (format: string | null): boolean => format === LDX.of

/** The name without its ending, in lower case. */
export const stemOf = (name: string) => basename(name, extname(name)).toLowerCase()

/** The import of the file that belongs to this one, of the same batch and name; undefined if there is none. */
export const companionOf = Effect.fnUntraced(function* ({
  batch,
  format,
  name
}: {
  readonly batch: string | null
  readonly format: string | null
  readonly name: string
}) {
  if (batch === null || !needsCompanion(format)) return undefined
  const folder = yield* UploadFolder
  const { items } = yield* (yield* FileImports).fileImports({ batch, limit: 1000, offset: 0 })
  const found = items.find(
    (other) => other.format === LDX.format && stemOf(other.name) === stemOf(name) && folder.has(other.id)
  )
  return found?.id
})
