/** Opens an address in the user's browser, with the system's own command. */
import { execFile } from "node:child_process"
import { Effect } from "effect"

const OPENERS: Readonly<Record<string, readonly [string, ...ReadonlyArray<string>]>> = {
  win32: ["cmd.exe", "/d", "/c", "start"],
  darwin: ["open"]
}

/** Opens the page. The service also runs without a browser: a failure is only logged. */
export const openPage = (address: string) =>
  Effect.async<void>((resume) => {
    const [command, ...words] = OPENERS[process.platform] ?? ["xdg-open"]
    execFile(command, [...words, address], (error) =>
      resume(
        error === null
          ? Effect.void
          : Effect.logWarning(`No browser could be opened: ${error.message.trim()}`)
      )
    )
  })
