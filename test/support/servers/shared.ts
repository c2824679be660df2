/** Requests for a server that tests share, to the run's own service (test/support/sharedServers.ts). */
import { Effect } from "effect"

export const DESK = "TELEMETRY_TEST_DESK"

/** The number of this process among those that run test files at a time, from 1. */
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

/** Each process has one of these, because its tests empty it, or kill it. */
export const ofThisProcess = (kind: "service" | "killable-questdb") => ask(`${kind}/${slot}`)

/** Sends a command for a server. */
export const sendCommand = (kind: "killable-questdb", command: "kill" | "start") =>
  Effect.asVoid(ask(`${kind}/${slot}/${command}`))
