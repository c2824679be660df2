import { Either } from "effect"
import { expect, it } from "vitest"
import { readCommandLine } from "../../src/platform/commandLine.ts"
import { demoSettings, serviceFlags } from "../../demo/flags.ts"

const read = (argv: ReadonlyArray<string>) => readCommandLine("demo", demoSettings, argv, {})

it.each([
  [[], "native", []],
  [["--port", "0"], "native", ["--port", "0"]],
  [["--simulator", "beamng"], "beamng", []],
  [["--port", "0", "--simulator", "beamng", "--data", "x"], "beamng", ["--port", "0", "--data", "x"]],
  [["--port=0", "--simulator=beamng", "--data=x"], "beamng", ["--port=0", "--data=x"]],
  [["--data", "beamng", "--simulator", "beamng"], "beamng", ["--data", "beamng"]]
])("of the demo's flags %j the simulator is %s, and the service's are %j", (argv, simulator, service) => {
  expect(Either.getOrThrow(read(argv))).toMatchObject({ simulator, questdb: false })
  expect(serviceFlags(argv)).toEqual(service)
})

it("demo keeps points in QuestDB on request", () => {
  const argv = ["--port", "0", "--questdb", "--data", "x"]
  expect(Either.getOrThrow(read(argv)).questdb).toBe(true)
  expect(serviceFlags(argv)).toEqual(["--port", "0", "--data", "x"])
})

it("demo refuses a flag that neither program has, and suggests the nearest one", () => {
  expect(Either.getOrThrow(Either.flip(read(["--simulater", "beamng"])))).toMatchObject({
    sentence: "Unknown option '--simulater'. Did you mean --simulator?"
  })
  expect(Either.getOrThrow(Either.flip(read(["--prot", "0"])))).toMatchObject({
    sentence: "Unknown option '--prot'. Did you mean --port?"
  })
})
