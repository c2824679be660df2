/** The service's connections over fake drivers and a store in memory. */
import { it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import type { ConnectRequest } from "../../src/domain/Connection.ts"
import type { ConnectionsSettings } from "../../src/simulators/connection/connectionsSettings.ts"
import * as Simulators from "../../src/simulators/connection/Simulators.ts"
import { MemoryStore } from "../recording/memoryStore.ts"
import { withWriter } from "../recording/rig.ts"
import { drivers, FakeDriver } from "./fakeDriver.ts"

export const request = (more: Partial<ConnectRequest> = {}): ConnectRequest => ({
  host: "rig",
  port: 9,
  appName: "test",
  simulator: "fake",
  options: {},
  ...more
})

export interface Rig {
  readonly simulators: typeof Simulators.Simulators.Service
  readonly fake: FakeDriver
  readonly store: MemoryStore
}

export const simulatorsLayer = (fake: FakeDriver, store: MemoryStore, settings?: ConnectionsSettings) =>
  Simulators.layer(Duration.seconds(5), settings).pipe(
    Layer.provide(drivers(fake.driver)),
    Layer.provideMerge(withWriter(store))
  )

/** A test of the connections of a service with one driver, "fake"; they end with the test. */
export const connecting = (
  title: string,
  body: (rig: Rig) => Effect.Effect<unknown, unknown>,
  fake: () => FakeDriver = () => new FakeDriver()
) =>
  it.effect(title, () =>
    Effect.suspend(() => {
      const store = new MemoryStore()
      const driver = fake()
      return Effect.flatMap(Simulators.Simulators, (simulators) =>
        body({ simulators, fake: driver, store })
      ).pipe(Effect.provide(simulatorsLayer(driver, store)))
    })
  )

/** A fake driver whose simulators all do this. */
export const answering = (answer: FakeDriver["answer"]) => () => {
  const fake = new FakeDriver()
  fake.answer = answer
  return fake
}

/** Port and state of each connection. */
export const states = (simulators: typeof Simulators.Simulators.Service) =>
  Effect.map(simulators.status, ({ connections }) => connections.map(({ port, state }) => [port, state]))
