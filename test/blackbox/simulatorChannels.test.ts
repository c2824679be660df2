/** Channels that simulators send beyond points, end to end: listed for their session, and in live messages on request. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { emulators } from "../../simulator/emulators/index.ts"
import { connectEmulator, driverOf, type Session } from "../support/emulated.ts"
import * as Box from "../support/processes.ts"
import { subscribe } from "./subscriber.ts"

interface Listed {
  readonly name: string
  readonly unit: string
  readonly group: string
  readonly samples: number
}

/** One protocol of each family, with a fuel channel that it sends. */
const families = [
  ["forza-motorsport", ["fuel_fraction"]],
  ["f1-2025", ["fuel_laps", "fuel_laps_surplus", "fuel_mass", "fuel_mass_capacity"]]
] as const

const wheels = ["fl", "fr", "rl", "rr"]

it.scopedLive.each(families)("%s: its channels are listed, and come live", ([protocol, fuel]) =>
  Effect.gen(function* () {
    const service = yield* Box.startService(yield* Box.folder)
    yield* connectEmulator(
      service,
      emulators.find((kind) => kind.protocol === protocol)!
    )
    const { messages } = yield* subscribe(service, "?channels=fuel*,tyre_*")
    const { items } = yield* Box.until(
      Box.get<{ readonly items: ReadonlyArray<Session> }>(
        service,
        `/sessions?driver=${encodeURIComponent(driverOf(protocol))}`
      ),
      (found) => found.items.length > 0
    )
    // Channels at another rate come some tenths of a second later.
    const listed = yield* Box.until(
      Box.get<ReadonlyArray<Listed>>(service, `/${items[0]!.id}/channels`),
      (channels) => channels.length > 70 && channels.every(({ samples }) => samples > 0)
    )
    const names = listed.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...fuel, ...wheels.map((wheel) => `tyre_wear_${wheel}`)]))
    expect(names.filter((name) => name.startsWith("fuel")).sort()).toEqual(fuel)
    expect(listed.find(({ name }) => name === "tyre_temperature_rl")).toMatchObject({
      unit: "°C",
      group: "tyres"
    })
    const live = () =>
      messages.flatMap((message) => {
        const { channels } = message as unknown as {
          readonly channels?: Readonly<Record<string, number | null>>
        }
        return message.type === "telemetry" && channels !== undefined ? [channels] : []
      })
    const isReported = (channels: Readonly<Record<string, number | null>>) =>
      wheels.every((wheel) => typeof channels[`tyre_wear_${wheel}`] === "number")
    yield* Box.until(Effect.sync(live), (all) => all.some(isReported))
    const last = live().findLast(isReported)!
    expect(Object.keys(last).every((name) => /^(?:fuel|tyre_)/.test(name))).toBe(true)
    for (const wheel of wheels) {
      expect(last[`tyre_temperature_${wheel}`]).toBeGreaterThan(20)
      expect(last[`tyre_temperature_${wheel}`]).toBeLessThan(150)
    }
    expect(fuel.some((name) => typeof last[name] === "number")).toBe(true)
  })
)
