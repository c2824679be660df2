/** Where a test asks for a server that it shares with others: at the desk of the run (test/runner/servers.ts). */
import { Effect } from "effect"

export const DESK = "TELEMETRY_TEST_DESK"

/** Which of the processes that run test files at a time this one is, from 1. */
const slot = process.env["VITEST_POOL_ID"]

/** The address of the run's server of that kind; of services each process has one, for whoever asks empties it. */
export const shared = (kind: "postgres" | "questdb" | "service") =>
  Effect.promise(async () => {
    const response = await fetch(`${process.env[DESK]}/${kind}${kind === "service" ? `/${slot}` : ""}`)
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  })
