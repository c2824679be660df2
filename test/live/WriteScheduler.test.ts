import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { SubscriberGroup } from "../../src/live/hub/SubscriberGroup.ts"
import { TelemetryRun } from "../../src/live/hub/frames.ts"
import type { Subscriber } from "../../src/live/hub/Subscriber.ts"
import { WriteScheduler, WRITE_SPACING_MS } from "../../src/live/hub/WriteScheduler.ts"
import { feed, HandTurned } from "./support.ts"

/** A write to a subscriber: its time, and the first timestamp of each run, which tests number. */
interface Receipt {
  readonly at: number
  readonly runs: ReadonlyArray<number>
}

/** Groups of subscribers on a clock turned by hand; each write costs `costMs` of it. */
const start = (sizes: ReadonlyArray<number> = [1], costMs = 0) => {
  const timing = new HandTurned()
  const writes = new WriteScheduler(timing)
  let spent = 0
  const subscriber = (received: Array<Receipt>): Subscriber => ({
    options: { sessionId: undefined, rate: undefined, events: new Set() },
    send: ({ runs }) => {
      timing.spend(costMs)
      spent += costMs
      received.push({ at: timing.now(), runs: runs.map(({ messages }) => messages[0]!.data.timestamp) })
    },
    sendEvent: () => {},
    dismiss: () => {}
  })
  const groups = sizes.map((size) => {
    const group = new SubscriberGroup(writes)
    const received = Array.from({ length: size }, (): Array<Receipt> => [])
    for (const one of received) group.add(subscriber(one))
    return { group, received }
  })
  let sent = 0
  const send = (group = 0, messages = 1) => {
    groups[group]!.group.send(
      new TelemetryRun(1, feed(sent, messages, 1e6), { first: undefined, chosen: [0], leftOut: 0 })
    )
    return sent++
  }
  return {
    timing,
    writes,
    groups,
    subscriber,
    send,
    spent: () => spent,
    receivedBy: (group = 0) => groups[group]!.received[0]!
  }
}

const numbers = (received: ReadonlyArray<Receipt>) => received.flatMap(({ runs }) => runs)

describe("WriteScheduler", () => {
  it("never holds messages at 60 Hz", () => {
    const { receivedBy, send, timing } = start()
    const sentAt: Array<number> = []
    for (let n = 0; n < 100; n++) {
      sentAt.push(timing.now())
      send()
      timing.endTurn()
      timing.advance(1000 / 60)
    }
    expect(receivedBy().map(({ at }) => at)).toEqual(sentAt)
  })

  it("sends the messages of one turn together, and then those within the spacing", () => {
    const { receivedBy, send, timing } = start()
    send()
    send()
    expect(receivedBy()).toEqual([])
    timing.endTurn()
    expect(receivedBy()).toEqual([{ at: 1000, runs: [0, 1] }])
    for (let n = 0; n < 100; n++) {
      timing.advance(0.9)
      send()
    }
    timing.advance(WRITE_SPACING_MS)
    const received = receivedBy()
    expect(numbers(received)).toEqual(Array.from({ length: 102 }, (_, n) => n))
    for (let i = 1; i < received.length; i++) {
      const gap = received[i]!.at - received[i - 1]!.at
      expect(gap).toBeGreaterThanOrEqual(WRITE_SPACING_MS - 0.001)
      expect(gap).toBeLessThanOrEqual(WRITE_SPACING_MS + 1)
    }
    expect(timing.alarms).toBe(0)
  })

  it("sends groups with few messages each at its own moment", () => {
    const { receivedBy, send, timing } = start([1, 1, 1], 0.1)
    for (const group of [0, 1, 2]) {
      const sentAt = timing.now()
      send(group)
      timing.endTurn()
      expect(receivedBy(group)[0]!.at).toBeCloseTo(sentAt + 0.1)
      timing.advance(0.5)
    }
  })

  interface Step {
    readonly group: number
    readonly messages: number
    readonly end: string
    readonly wait: number
  }
  const step: FastCheck.Arbitrary<Step> = FastCheck.record({
    group: FastCheck.nat(2),
    messages: FastCheck.constantFrom(1, 1, 1, 7, 200),
    end: FastCheck.constantFrom("none", "none", "turn", "flush"),
    wait: FastCheck.constantFrom(0, 0, 0.3, 1, 3, 5, 17, 100)
  })
  const steps = FastCheck.array(step, { maxLength: 80 })

  /** Runs the steps in three groups; returns the numbers sent to each, their times, and how many subscribers were behind after a flush. */
  const play = (each: ReadonlyArray<Step>, cost: number) => {
    const rig = start([1, 3, 40], cost)
    const sent: Array<Array<number>> = [[], [], []]
    const sentAt: Array<number> = []
    let late = 0
    for (const { group, end, messages, wait } of each) {
      sentAt.push(rig.timing.now())
      sent[group]!.push(rig.send(group, messages))
      if (end === "turn") rig.timing.endTurn()
      if (end === "flush") {
        rig.writes.flush()
        const behind = (
          { received }: { readonly received: ReadonlyArray<ReadonlyArray<Receipt>> },
          i: number
        ) => received.filter((one) => numbers(one).length < sent[i]!.length).length
        late += rig.groups.map(behind).reduce((sum, count) => sum + count)
      }
      if (wait > 0) rig.timing.advance(wait)
    }
    // Several times as long as any message can wait.
    rig.timing.advance(5000)
    return { ...rig, sent, sentAt, late }
  }

  it("sends every subscriber everything once and in order, and at a flush all that waits", () => {
    FastCheck.assert(
      FastCheck.property(steps, FastCheck.constantFrom(0, 0.007, 0.1, 2), (each, cost) => {
        const { groups, late, timing, sent } = play(each, cost)
        for (const [i, { received }] of groups.entries()) {
          for (const one of received) expect(numbers(one)).toEqual(sent[i])
        }
        const empty = groups
          .flatMap(({ received }) => received.flat())
          .filter(({ runs }) => runs.length === 0)
        expect(empty).toEqual([])
        expect(late).toBe(0)
        expect(timing.alarms).toBe(0)
      })
    )
  })

  it("holds nothing for longer than the spacing if writing costs little", () => {
    FastCheck.assert(
      FastCheck.property(steps, (each) => {
        const { groups, sentAt } = play(each, 0)
        const waits = groups.flatMap(({ received }) =>
          received.flatMap((one) => one.flatMap(({ at, runs }) => runs.map((run) => at - sentAt[run]!)))
        )
        for (const wait of waits) expect(wait).toBeLessThanOrEqual(WRITE_SPACING_MS + 1)
      })
    )
  })

  it("leaves a third of the time to others, and lets the loop turn every few milliseconds", () => {
    // 38 ms for one round of writing: 5,000 sockets.
    const { groups, receivedBy, send, spent, timing } = start([500, 5], 38 / 500)
    const begin = timing.now()
    for (let n = 0; n < 300; n++) {
      send(n % 10 === 0 ? 1 : 0)
      const before = spent()
      timing.endTurn()
      expect(spent() - before).toBeLessThan(4 + 16 * (38 / 500) + 0.001)
      timing.advance(Math.max(0, begin + ((n + 1) * 1000) / 60 - timing.now()))
    }
    const share = spent() / (timing.now() - begin)
    expect(share).toBeGreaterThan(0.6)
    expect(share).toBeLessThan(0.68)
    timing.advance(1000)
    for (const { received } of groups) {
      for (const one of received) expect(numbers(one)).toEqual(numbers(received[0]!))
    }
    expect(numbers(receivedBy(0)).length + numbers(receivedBy(1)).length).toBe(300)
  })

  it("does not hold much", () => {
    const { receivedBy, send, timing } = start()
    send()
    timing.endTurn()
    for (let n = 0; n < 130; n++) send()
    timing.endTurn()
    expect(receivedBy().map(({ runs }) => runs.length)).toEqual([1, 130])
  })

  it("gives a batch to the subscribers that were there when its write began", () => {
    const { groups, subscriber, writes, send, timing } = start([40], 1)
    const { group, received } = groups[0]!
    const late: Array<Receipt> = []
    const first = send()
    timing.endTurn()
    expect(received.filter((one) => one.length === 1).length).toBeLessThan(40)
    group.add(subscriber(late))
    const second = send()
    writes.flush()
    for (const one of received) expect(numbers(one)).toEqual([first, second])
    expect(numbers(late)).toEqual([second])
  })
})
