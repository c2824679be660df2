import { Context, type Effect, type Option } from "effect"
import type { ImportNotFound, StoreUnavailable } from "../domain/errors.ts"
import type {
  FileImport,
  ImportChange,
  ImportsWanted,
  NewFileImport,
  UnfinishedImport
} from "../domain/FileImport.ts"

/** The files that were imported by this node. An import and its sessions go separate ways: either may be removed alone. */
export class FileImports extends Context.Tag("store/FileImports")<
  FileImports,
  {
    readonly addImport: (added: NewFileImport) => Effect.Effect<FileImport, StoreUnavailable>
    readonly fileImport: (id: number) => Effect.Effect<FileImport, ImportNotFound | StoreUnavailable>
    /** Newest first, with the number of all that are wanted. */
    readonly fileImports: (
      page: ImportsWanted & { readonly limit: number; readonly offset: number }
    ) => Effect.Effect<
      { readonly total: number; readonly items: ReadonlyArray<FileImport> },
      StoreUnavailable
    >
    readonly changeImport: (
      id: number,
      change: ImportChange
    ) => Effect.Effect<FileImport, ImportNotFound | StoreUnavailable>
    /** The newest import of these bytes that stored a session which still exists. */
    readonly importOf: (sha256: string) => Effect.Effect<Option.Option<FileImport>, StoreUnavailable>
    /** Imports of this node that have not finished, oldest first. */
    readonly unfinishedImports: Effect.Effect<ReadonlyArray<UnfinishedImport>, StoreUnavailable>
    /** Forgets an import; its sessions stay. One that is gone is no error. */
    readonly removeImport: (id: number) => Effect.Effect<void, StoreUnavailable>
    /** Keeps what was found out about a session of an import, as JSON, beside what was kept. Nothing is kept of a session that is gone. */
    readonly keepFacts: (
      sessionId: number,
      facts: Readonly<Record<string, unknown>>
    ) => Effect.Effect<void, StoreUnavailable>
    /** The values of a fact in the sessions that have it, those of the newest session first; 1,000 at most. */
    readonly factsNamed: (name: string) => Effect.Effect<ReadonlyArray<unknown>, StoreUnavailable>
  }
>() {}
