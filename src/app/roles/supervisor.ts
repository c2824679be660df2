/** The process that starts the other processes, and replaces any that end. */
import { Duration, Effect, Layer } from "effect"
import * as FolderLock from "../folder/FolderLock.ts"
import { urlOf } from "../../api/urlOf.ts"
import { reservePort } from "../../cluster/reservedPort.ts"
import { supervise } from "../../cluster/supervise.ts"
import type { SettingsValues } from "../Settings.ts"
import { announce } from "./announce.ts"

/** Takes the folder, and the port, before any other process opens the stores. */
export const role = (settings: SettingsValues) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { data, existing, host, hungAfter, port: wanted, stopWithin, workers } = settings
      yield* FolderLock.lockFolder(data, existing)
      const freePort = yield* reservePort({ host, port: wanted })
      const port = yield* supervise({
        workers,
        hungAfter: Duration.seconds(hungAfter),
        stopWithin: Duration.seconds(stopWithin),
        freePort
      })
      yield* announce(urlOf(host, port), settings)
    })
  )
