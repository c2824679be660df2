import { expect, it } from "vitest"
import { readDemoFlags } from "../../src/simulate/demoFlags.ts"

it.each([
  [[], "native", []],
  [["--port", "0"], "native", ["--port", "0"]],
  [["--simulator", "beamng"], "beamng", []],
  [["--port", "0", "--simulator", "beamng", "--data", "x"], "beamng", ["--port", "0", "--data", "x"]],
  [["--port=0", "--simulator=beamng", "--data=x"], "beamng", ["--port=0", "--data=x"]],
  [["--data", "beamng", "--simulator", "beamng"], "beamng", ["--data", "beamng"]],
  [["--simulator"], "", []]
])("of the demo's flags %j the simulator is %s, and the service's are %j", (argv, simulator, service) => {
  expect(readDemoFlags(argv)).toEqual({ simulator, service, questdb: false })
})

it("keeps points in QuestDB where that is asked for", () => {
  expect(readDemoFlags(["--port", "0", "--questdb", "--data", "x"])).toEqual({
    simulator: "native",
    questdb: true,
    service: ["--port", "0", "--data", "x"]
  })
})
