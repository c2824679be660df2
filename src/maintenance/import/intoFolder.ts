import { Effect, Layer } from "effect"
import { lockWhole } from "../../app/folder/FolderLock.ts"
import * as ImportLane from "../../imports/importLane.ts"
import { removeBroken } from "../../imports/removeBroken.ts"
import { UploadFolder } from "../../imports/uploads/UploadFolder.ts"
import { recover } from "../../recording/intake/recovery.ts"
import { SessionEndings } from "../../recording/intake/SessionEndings.ts"
import * as RawFolder from "../../recording/raw/rawFolder.ts"
import * as SqliteStore from "../../store/sqlite/SqliteStore.ts"

const lane = (data: string) =>
  ImportLane.layer.pipe(
    Layer.provide(SessionEndings.ignored),
    Layer.provideMerge(SqliteStore.layer(data)),
    Layer.provideMerge(RawFolder.layer(data)),
    Layer.merge(UploadFolder.layer(data, { keeps: false, max: 0 }))
  )

/** Locks the data folder for as long as the scope, and runs a program that imports into it. */
export const intoFolder = <A, E, R>(data: string, program: Effect.Effect<A, E, R>) =>
  Effect.zipRight(
    lockWhole(data),
    Effect.gen(function* () {
      yield* recover
      // Files that the service has not read yet wait for its next start.
      yield* removeBroken((yield* UploadFolder).has)
      return yield* program
    }).pipe(Effect.provide(lane(data)))
  )
