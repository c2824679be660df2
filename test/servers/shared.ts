/** Where a test asks for a server that it shares with others: at the desk of the run (test/runner/servers.ts). */
import { Effect } from "effect"

export const DESK = "TELEMETRY_TEST_DESK"

/** The address of the run's server of that kind. */
export const shared = (kind: "postgres" | "questdb" | "service") =>
  Effect.promise(async () => {
    const response = await fetch(`${process.env[DESK]}/${kind}`)
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  })
