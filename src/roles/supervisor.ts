/** The process that starts the others, and replaces those that end. */
import { Duration, Effect, Layer } from "effect"
import { urlOf } from "../http/urlOf.ts"
import { supervise } from "../relay/supervise.ts"
import type { SettingsValues } from "../Settings.ts"
import { announce } from "./announce.ts"

export const role = (settings: SettingsValues) =>
  Layer.scopedDiscard(
    Effect.flatMap(
      supervise({ workers: settings.workers, hungAfter: Duration.seconds(settings.hungAfter) }),
      (port) => announce(urlOf(settings.host, port))
    )
  )
