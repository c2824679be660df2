/** Reads one uploaded file. Loaded with the first one: a service that imports nothing has none of it in memory. */
import { Effect } from "effect"
import { importFile, type ImportJob } from "./importFile.ts"
import * as ImportLane from "./importLane.ts"

/** The lane is the import's own, and its memory is free when it ends. */
export const runImport = (job: ImportJob, isCancelled: () => boolean) =>
  Effect.provide(importFile(job, isCancelled), ImportLane.layer)
