import { Console, Effect } from "effect"
import { exposureOf } from "../http/Access.ts"
import type { SettingsValues } from "../Settings.ts"

/**
 * The first line on standard output: the program that starts the service waits for it. The log says who else may send
 * requests.
 */
export const announce = (address: string, settings: SettingsValues) => {
  const exposure = exposureOf(settings)
  return Effect.zipRight(
    exposure === undefined
      ? Effect.void
      : settings.token === "none"
        ? Effect.logWarning(exposure)
        : Effect.logInfo(exposure),
    Console.log(`listening on ${address}`)
  )
}
