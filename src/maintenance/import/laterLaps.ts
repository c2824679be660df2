/** An `.ldx` file that is given without its log: the log was imported before, and gets new laps. */
import { dirname, extname } from "node:path"
import type { FileImport } from "../../domain/FileImport.ts"
import { LDX, stemOf } from "../../imports/companions.ts"
import type { FoundFile } from "./files.ts"
import { plural } from "./plural.ts"

/** Imports among which a log is looked for. */
export const MAX_IMPORTS = 1000

export const isLdx = ({ name }: Pick<FoundFile, "name">): boolean =>
  extname(name).toLowerCase() === LDX.ending

/** Whether the file's log is one of the files, with which it is read. */
export const goesWithLog = (file: FoundFile, files: ReadonlyArray<FoundFile>): boolean =>
  isLdx(file) &&
  files.some(
    ({ name, path }) =>
      extname(name).toLowerCase() === ".ld" &&
      stemOf(name) === stemOf(file.name) &&
      dirname(path) === dirname(file.path)
  )

/** The import of the file's log. `imports`: newest first. */
export const logOf = (imports: ReadonlyArray<FileImport>, file: FoundFile): FileImport | undefined =>
  imports.find(
    ({ format, name, sessions }) =>
      format === LDX.of && sessions.length > 0 && stemOf(name) === stemOf(file.name)
  )

export const noLog = ({ name }: FoundFile): string => `No log ${stemOf(name)}.ld was imported before`

export const cutLine = ({ path }: FoundFile, { id, laps }: FileImport): string =>
  `${path}: import ${id} has ${plural(laps, "lap")} now`
