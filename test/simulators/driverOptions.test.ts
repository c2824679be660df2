/** The drivers' options in a connect: each driver declares its own and reads them by name, and the request has all of them. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { connect } from "../../src/operations/simulators.ts"
import { Drivers } from "../../src/simulators/Driver.ts"
import { describeOptions } from "../../src/simulators/driverOptions.ts"
import { layer, options } from "../../src/simulators/drivers/index.ts"
import { read as readAssettoCorsa } from "../../src/simulators/drivers/assetto-corsa/options.ts"
import { read as readBeamNg } from "../../src/simulators/drivers/beamng/options.ts"

it.effect("a connect takes the options of all drivers, and no others", () =>
  Effect.gen(function* () {
    const known = yield* (yield* Drivers).known
    const reported = Object.fromEntries(known.map(({ name, options }) => [name, Object.keys(options)]))
    expect(reported).toMatchObject({
      acc: ["password"],
      "assetto-corsa": ["steeringLock"],
      beamng: ["startLine"],
      f1: [],
      gt7: ["steeringLock", "replays"],
      lfs: ["adminPassword"],
      native: []
    })
    expect(new Set(Object.values(reported).flat())).toEqual(new Set(Object.keys(options)))
  }).pipe(Effect.provide(Layer.provideMerge(layer, Drivers.layer)))
)

it("options are described without references, so that a form can be made from them", () => {
  expect(describeOptions(options)["steeringLock"]).toMatchObject({
    type: "number",
    minimum: 90,
    maximum: 3600
  })
  const number = expect.objectContaining({ type: "number" })
  expect(describeOptions(options)["startLine"]).toMatchObject({
    type: "object",
    properties: { x1: number, y1: number, x2: number, y2: number }
  })
})

it("a driver reads its own options of a request, and no others", () => {
  const given = { host: "rig", port: 9, app_name: "test", steering_lock: 540, password: "p", unknown: 1 }
  const request = Schema.decodeUnknownSync(connect.input)(given)
  expect(readAssettoCorsa(request)).toEqual({ steeringLock: 540 })
  expect(readBeamNg(request)).toEqual({})
  expect(() => Schema.decodeUnknownSync(connect.input)({ ...given, steering_lock: 5 })).toThrow(
    "must be between 90 and 3600 degrees, got 5"
  )
})
