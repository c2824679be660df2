import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"

/** A folder that exists until the scope ends. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "telemetry-store-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** A layer on a folder of its own. */
export const inTemporaryFolder = <A, E>(make: (folder: string) => Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.unwrapScoped(Effect.map(temporaryFolder, make))
