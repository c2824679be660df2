/** Where a test asks for a server that it shares with others: at the desk of the run (test/support/sharedServers.ts). */
import { Effect } from "effect"

export const DESK = "TELEMETRY_TEST_DESK"

/** Which of the processes that run test files at a time this one is, from 1. */
const slot = process.env["VITEST_POOL_ID"]

const ask = (path: string) =>
  Effect.promise(async () => {
    // On a connection of its own: an idle one may have been closed.
    const response = await fetch(`${process.env[DESK]}/${path}`, { headers: { connection: "close" } })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  })

/** The address of the run's server of that kind. */
export const shared = (kind: "postgres" | "questdb") => ask(kind)

/** Of these each process has one, for whoever has it empties it, or kills it. */
export const ofThisProcess = (kind: "service" | "killable-questdb") => ask(`${kind}/${slot}`)

/** Has something done to it. */
export const sendCommand = (kind: "killable-questdb", command: "kill" | "start") =>
  Effect.asVoid(ask(`${kind}/${slot}/${command}`))
