/** The process that starts the others, and replaces those that end. */
import { Effect, Layer } from "effect"
import { urlOf } from "../http/urlOf.ts"
import { supervise } from "../relay/supervise.ts"
import type { SettingsValues } from "../Settings.ts"
import { announce } from "./announce.ts"

export const role = (settings: SettingsValues) =>
  Layer.scopedDiscard(
    Effect.flatMap(supervise(settings.workers), (port) => announce(urlOf(settings.host, port)))
  )
