/** What tests of the drivers do not show of an outlet, though they go through it as well. */
import { Effect, Fiber, Stream } from "effect"
import { expect, it, vi } from "vitest"
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { Outlet } from "../../src/simulators/Outlet.ts"
import { pointsAt } from "../live/support.ts"

const point = (time: number) =>
  SimulatorEvent.Points({
    batch: pointsAt([time]),
    told: allChannels,
    lapNumber: undefined,
    lapDistance: undefined,
    missing: 0
  })

it("hands points that came one by one over as one batch, past the fiber too", async () => {
  let heard: Array<SimulatorEvent> = []
  const outlet = new Outlet(() => heard.splice(0))
  const taken: Array<ReadonlyArray<number>> = []
  outlet.link.shortcut((events) => {
    for (const event of events) if (event._tag === "Points") taken.push([...event.batch.timestamps])
    return events.length
  })
  const fiber = Effect.runFork(Stream.runDrain(outlet.link.events))
  await new Promise((done) => setImmediate(done))
  heard = [point(1), point(2), point(3)]
  outlet.heard()
  await vi.waitFor(() => expect(taken).toEqual([[1, 2, 3]]))
  await Effect.runPromise(Fiber.interrupt(fiber))
})
