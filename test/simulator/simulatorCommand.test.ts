import { createServer, type AddressInfo } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { vehicleNames } from "../../simulator/model/vehicles.ts"
import { readSimulatorSettings, simulatorSettings } from "../../simulator/SimulatorSettings.ts"
import { connect } from "./feedReader.ts"
import { start } from "./simulatorProcess.ts"

it.concurrent("the simulator prints its settings", async () => {
  const { err, out, status } = await start("--help").ended
  expect({ err, status }).toEqual({ err: "", status: 0 })
  for (const flag of ["host", "port", "protocol", "circuit", "vehicle", "driver", "laps", "seed", "rate"]) {
    expect(out).toContain(`--${flag} `)
  }
  for (const flag of ["packed", "replay", "capture", "speed", "pause", "restart", "loss", "garbage"])
    expect(out).toContain(`--${flag} `)
  for (const name of [...circuitNames, ...vehicleNames]) expect(out).toContain(name)
})

it.each([
  [["--bogus"], "--bogus"],
  [["--port", "70000"], "--port must be a whole number between 0 and 65535"],
  [["--rate", "5"], "--rate must be a whole number between 10 and 10000"],
  [["--circuit", "Nowhere"], `--circuit must be one of ${circuitNames.join(", ")}`],
  [["--protocol", "pigeon"], "--protocol must be one of native"]
])("the simulator has a sentence for %j", (flags, sentence) => {
  expect(readSimulatorSettings("usage", flags, {})).toMatchObject({
    left: { _tag: "BadUsage", sentence: expect.stringContaining(sentence) }
  })
})

it.concurrent.each([
  [["--port", "70000"], "--port must be a whole number between 0 and 65535"],
  [["--replay", "none.ndjson"], "Cannot replay none.ndjson: ENOENT"]
])("the simulator ends with 2 and a sentence on %j", async (flags, sentence) => {
  const { err, out, status } = await start("--port", "0", ...flags).ended
  expect(status).toBe(2)
  expect(out).toBe("")
  expect(err).toContain(sentence)
  expect(err.trim().split("\n")).toHaveLength(1)
})

it.concurrent("the simulator ends with 1 if its port is in use", async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
  const { port } = other.address() as AddressInfo
  const { err, status } = await start("--port", String(port)).ended
  other.close()
  expect(status).toBe(1)
  expect(err).toBe(`Cannot listen on 127.0.0.1:${port}: the port is in use\n`)
})

it.concurrent.each(["SIGINT", "SIGTERM"] as const)(
  "the simulator prints where it listens, serves, and stops on %s",
  async (signal) => {
    const simulator = start("--port", "0", "--circuit", "cinder bowl", "--rate", "100")
    const line = await simulator.ready
    expect(line).toMatch(/^feed on ws:\/\/127\.0\.0\.1:\d+$/)
    const code = await Effect.gen(function* () {
      const reader = yield* connect(Number(line.split(":").at(-1)))
      yield* reader.until((log) => log.points.length > 2)
      expect(reader.log.of("session")[0]!["circuit"]).toBe("Cinder Bowl")
      simulator.child.kill(signal)
      return yield* reader.closed
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(code).toBe(1001)
    const { out, status } = await simulator.ended
    expect(status).toBe(0)
    expect(out).toBe(`${line}\n`)
  }
)

it("--speed is a number or max", () => {
  const { read } = simulatorSettings.speed
  expect(read("max")).toMatchObject({ right: Number.POSITIVE_INFINITY })
  expect(read("0.5")).toMatchObject({ right: 0.5 })
  for (const wrong of ["0", "-1", "fast", "", "1e9", "Infinity"]) expect(read(wrong)._tag).toBe("Left")
})
