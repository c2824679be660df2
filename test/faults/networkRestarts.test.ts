/**
 * The network of the service's machine goes down, with its address and routes, and comes up again while a car drives on another machine:
 * the same session goes on without a hand. docs/reliability.md has how soon.
 */
import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { join } from "node:path"
import * as Box from "../support/processes.ts"
import { lab, labHere } from "../support/servers/lab.ts"
import { needing } from "../support/needing.ts"

/** `asks`: the service opens the link; else the game sends unasked. */
const GAMES = [
  { protocol: "native", simulator: "native", port: 9100, asks: true },
  { protocol: "gt7", simulator: "gt7", port: 33_739, asks: true },
  { protocol: "f1-2025", simulator: "f1", port: 20_777, asks: false }
]

describe("a network that restarts", needing(labHere), () => {
  for (const { asks, port, protocol, simulator } of GAMES) {
    it.scopedLive(`does not end the recording of ${simulator}`, () =>
      Effect.gen(function* () {
        const net = yield* lab("rig", "service")
        const data = yield* Box.folder
        // As users start it: the tests' patience would hide a link that is given up too late.
        const service = yield* net.start("service", "main.js", [
          "--port",
          "0",
          "--data",
          data,
          "--no-restore"
        ])
        const simulated = ["--protocol", protocol, "--port", String(port)]
        const program = join(Box.root, "dist/program/simulator/main.js")
        const at = net.address(asks ? "rig" : "service")
        yield* net.startProgram("rig", process.execPath, [program, ...simulated, "--host", at])
        const host = asks ? net.address("rig") : "0.0.0.0"
        const connect = { host, port, app_name: "lab", simulator }
        expect(yield* Box.ask(service, "POST", "/connect", connect)).toMatchObject({ status: 200 })
        const stored = Effect.map(Box.connectionOf(service), (one) => one?.points_stored ?? 0)
        yield* Box.until(stored, (points) => points > 0)
        // TCP bridges the first; in the second the service gives the link up; in the third it tries to open it again.
        for (const away of ["500 millis", "8 seconds", "25 seconds"] as const) {
          yield* net.down("service")
          yield* Effect.sleep(away)
          const before = yield* stored
          yield* net.up("service")
          const back = yield* Clock.currentTimeMillis
          yield* Box.until(stored, (points) => points > before)
          const after = (yield* Clock.currentTimeMillis) - back
          yield* Effect.logInfo(`${simulator}, away for ${away}: stored again ${after} ms after its return`)
        }
        expect(yield* Box.lastSession(service)).toBe(1)
      })
    )
  }
})
