/** Cases of the delivery that the tests of drivers, which use it too, do not show. */
import { Effect, Fiber, FiberId } from "effect"
import { expect, it } from "vitest"
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { EventDelivery } from "../../src/simulators/EventDelivery.ts"
import { systemTiming } from "../../src/platform/Timing.ts"
import { timesOf } from "./udp/udp.ts"
import { collecting } from "./sinks.ts"
import { pointsAt, until } from "../live/support.ts"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { kindOf } from "./rows.ts"

const point = (time: number) =>
  SimulatorEvent.Rows({
    group: POINTS,
    batch: pointsAt([time]),
    declared: allChannels,
    lap: undefined,
    missing: 0
  })

it("offers points that arrived one by one as one batch", async () => {
  let pending: Array<SimulatorEvent> = []
  const delivery = new EventDelivery(() => pending.splice(0), systemTiming)
  const { events, sink } = collecting()
  const fiber = Effect.runFork(delivery.deliverTo(sink))
  pending = [point(1), point(2), point(3)]
  delivery.heard()
  await until(() => events.length > 0)
  expect(events).toHaveLength(1)
  expect(timesOf(events)).toEqual([1, 2, 3])
  await Effect.runPromise(Fiber.interrupt(fiber))
})

it("offers events while the sink takes them at once, until none is left", () => {
  const groups = [[point(1)], [SimulatorEvent.SessionEnded()], [point(2)], []]
  const delivery = new EventDelivery(
    () => groups.shift() ?? [],
    systemTiming,
    () => groups.length > 0
  )
  const { events, sink } = collecting()
  Effect.runFork(delivery.deliverTo(sink)).unsafeInterruptAsFork(FiberId.none)
  expect(events.map(kindOf)).toEqual(["Points", "SessionEnded", "Points"])
})
