/** `--games`: two games send to a whole service to which no client connects. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort, sender } from "../simulators/udp/udp.ts"
import * as Box from "../support/processes.ts"

interface Status {
  readonly connections: ReadonlyArray<{
    readonly port: number
    readonly simulator: string
    readonly points_stored: number
    readonly session_id: number | null
  }>
  readonly listening: ReadonlyArray<{ readonly port: number; readonly state: string }>
}

const status = (service: Box.Running) => Box.get<Status>(service, "/status")

const recording = (service: Box.Running, port: number) =>
  Box.until(status(service), ({ connections }) =>
    connections.some((one) => one.port === port && one.points_stored > 0)
  )

const play = (...flags: ReadonlyArray<string>) => Box.start("simulator/main.js", flags)

const simulatorsOf = ({ connections }: Status) => connections.map(({ port, simulator }) => [port, simulator])

it.scopedLive("--games records one game and then another, and skips a port that another program has", () =>
  Effect.gen(function* () {
    const [first, second, third] = [yield* freePort, yield* freePort, yield* freePort]
    yield* sender("127.0.0.1", third)
    const service = yield* Box.startService(yield* Box.folder, "--games", `${first},${second},${third}`)
    const begun = yield* Box.until(status(service), ({ listening }) =>
      listening.some(({ state }) => state === "taken")
    )
    expect(begun.connections).toEqual([])
    expect(begun.listening.map(({ port, state }) => [port, state]).sort()).toEqual(
      [
        [first, "waiting"],
        [second, "waiting"],
        [third, "taken"]
      ].sort()
    )
    yield* play("--protocol", "f1-2025", "--port", String(first), "--speed", "4")
    expect(simulatorsOf(yield* recording(service, first))).toEqual([[first, "f1"]])
    yield* play("--protocol", "forza-motorsport", "--port", String(second), "--speed", "4")
    expect(simulatorsOf(yield* recording(service, second))).toEqual(
      expect.arrayContaining([[second, "forza"]])
    )
    const { total } = yield* Box.get<{ readonly total: number }>(service, "/sessions")
    expect(total).toBe(2)
    // Nothing of it is kept: the next start decides by its own flag.
    expect(yield* Box.get(service, "/connections")).toEqual([])
    expect(service.errors()).toContain(`UDP port ${third}`)
  })
)
