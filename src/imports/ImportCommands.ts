/**
 * The port to the process that imports files, which may be another one than the process that receives them. All changes of
 * imports are made there, one after another.
 */
import { Context, type Effect, type Scope } from "effect"
import type {
  ImportNotFound,
  LapsNotCut,
  SessionBeingRecorded,
  StoreUnavailable,
  TooManyImports
} from "../domain/errors.ts"
import type { FileImport, ImportOptions } from "../domain/FileImport.ts"

export type ImportCommand =
  /** A file begins to arrive. `size`: bytes; 0 if it is not known. */
  | {
      readonly type: "add"
      readonly name: string
      readonly size: number
      readonly batch: string | undefined
      readonly options: ImportOptions
    }
  /** All of it is here. The answer may be another import: the one of the same bytes, or the one whose laps the file cut. */
  | {
      readonly type: "uploaded"
      readonly id: number
      readonly size: number
      readonly sha256: string
      readonly format: string
    }
  /** Ends an import that has not finished, with what it stored; forgets one that has. */
  | { readonly type: "remove"; readonly id: number }
  /** Forgets an import whose upload can never be complete. */
  | { readonly type: "drop"; readonly id: number }

export type ImportError =
  | ImportNotFound
  | LapsNotCut
  | SessionBeingRecorded
  | StoreUnavailable
  | TooManyImports

/** Succeeds with the import after the change; with its last state if it is gone. */
export type ChangeImports = (command: ImportCommand) => Effect.Effect<FileImport, ImportError>

export class ImportCommands extends Context.Tag("imports/ImportCommands")<
  ImportCommands,
  {
    readonly change: ChangeImports
    /** Calls `receive` with the number of each import that has changed, until the scope ends. */
    readonly watch: (receive: (importId: number) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}
