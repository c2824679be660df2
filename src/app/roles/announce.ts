import { Console, Effect } from "effect"
import { exposureOf } from "../../api/Access.ts"
import { reachable } from "../../platform/addresses/http.ts"
import type { SettingsValues } from "../Settings.ts"
import { openPage } from "./openPage.ts"

/**
 * Prints the first line on standard output: the program that starts the service waits for it. Logs who else may send
 * requests. Does not wait for a browser.
 */
export const announce = (address: string, settings: SettingsValues) => {
  const exposure = exposureOf(settings)
  return Effect.all([
    exposure === undefined
      ? Effect.void
      : settings.token === "none"
        ? Effect.logWarning(exposure)
        : Effect.logInfo(exposure),
    Console.log(`listening on ${address}`),
    settings.open ? Effect.forkDaemon(openPage(`${reachable(address)}${settings.base}`)) : Effect.void
  ])
}
