import { describe, expect, it } from "@effect/vitest"
import type { Lap, RecordedLap } from "../../src/domain/Lap.ts"
import { KEPT_EVENTS } from "../../src/live/transports/protocol.ts"
import { feed, onePoint, session, until, withServer } from "./support.ts"

const lap: Lap = {
  id: 5,
  sessionId: 1,
  lapNumber: 2,
  lapTime: 91.25,
  sector1Time: 30,
  sector2Time: null,
  sector3Time: 31.25,
  valid: true
}

/** The rate, with the slack of a start: a burst, and pending points. */
const about = (expected: ReadonlyArray<number>) => (actual: ReadonlyArray<number>) =>
  expected.every((count, i) => actual[i]! >= count && actual[i]! <= count * 1.02 + 3)

describe("a subscriber", () => {
  it("gets each point as exactly the message of the interface", () =>
    withServer(async (live) => {
      const client = await live.connect("?events=session")
      live.hub.publish(3, onePoint([1.5, 200, 9000, -1, 1, -0, 0.5, 1e21, 5e-324, -2.25]))
      live.fence()
      expect((await client.upToFence()).map(({ text }) => text)).toEqual([
        '{"type":"telemetry","data":{"timestamp":1.5,"speed":200,"rpm":9000,"gear":-1,"throttle":1,"brake":0,' +
          '"position_x":1e+21,"position_y":5e-324,"position_z":-2.25},"session_id":3}'
      ])
      expect(live.hub.stats()).toEqual({ subscribers: 1, sent: 2, skipped: 0 })
    }))

  it("gets only the requested session", () =>
    withServer(async (live) => {
      const all = await live.connect("?events=session&unknown=1")
      const one = await live.connect("?session_id=2")
      for (const id of [1, 2, 1]) live.hub.publish(id, feed(id, 1, 60))
      live.fence()
      live.timing.advance(1000)
      live.hub.publish(2, feed(9, 1, 60))
      await until(() => one.received.length === 2)
      expect(one.received.map(({ json }) => json.session_id)).toEqual([2, 2])
      expect((await all.upToFence()).map(({ json }) => json.session_id)).toEqual([1, 2])
    }))

  it("has its own rate, at most the configured one, and follows its change", () =>
    withServer(async (live) => {
      const queries = ["?events=session", "?events=session&rate=10", "?events=session&rate=100000"]
      const clients = await Promise.all(queries.map(live.connect))
      let time = 0
      const counts = async (seconds: number) => {
        const points = feed(time, seconds * 200, 200)
        time += seconds
        for (let i = 0; i < points.length; i++) {
          live.hub.publish(1, points.slice(i, i + 1))
          live.timing.advance(5)
        }
        live.timing.advance(1000)
        live.fence()
        return Promise.all(clients.map(async (client) => (await client.upToFence()).length))
      }
      expect(await counts(10)).toSatisfy(about([600, 100, 600]))
      live.hub.setRate(100)
      expect(await counts(10)).toSatisfy(about([1000, 100, 1000]))
      live.hub.setRate(5)
      expect(await counts(10)).toSatisfy(about([50, 50, 50]))
    }))

  it("gets pending points before the rate changes", () =>
    withServer(async (live) => {
      const client = await live.connect("?events=session")
      live.hub.publish(1, feed(0, 1, 60))
      live.hub.publish(1, feed(0.001, 1, 60))
      live.hub.setRate(30)
      live.fence()
      expect((await client.upToFence()).map(({ json }) => json.data["timestamp"])).toEqual([0, 0.001])
      expect(live.hub.samplers).toBe(0)
    }))

  it("gets requested events, with exactly the fields of their schema", () =>
    withServer(async (live) => {
      const both = await live.connect("?events=lap,session")
      const laps = await live.connect("?events=lap&session_id=1")
      const none = await live.connect()
      const recorded: RecordedLap = { ...lap, startTime: 10, endTime: 101.25 }
      live.hub.announce({ type: "session", sessionId: 1, data: session })
      live.hub.announce({ type: "lap", sessionId: 2, data: { ...lap, sessionId: 2 } })
      live.hub.announce({ type: "lap", sessionId: 1, data: recorded })
      live.hub.publish(1, feed(0, 1, 60))
      live.fence()
      await until(() => none.received.length === 1 && laps.received.length === 2)
      const lapText =
        '{"type":"lap","data":{"id":5,"session_id":1,"lap_number":2,"lap_time":91.25,"sector1_time":30,' +
        '"sector2_time":null,"sector3_time":31.25,"valid":true},"session_id":1}'
      expect(laps.received[0]!.text).toBe(lapText)
      const texts = (await both.upToFence()).map(({ text }) => text)
      expect(texts[0]).toBe(
        '{"type":"session","data":{"id":1,"circuit":"Monza","vehicle":"GT3","driver":"A",' +
          '"datetime":"2026-02-13T09:30:00","duration":0,"total_laps":0,"best_lap_time":null,"pinned":false,"source":"live"},"session_id":1}'
      )
      expect(texts[2]).toBe(lapText)
      expect(texts).toHaveLength(4)
      expect(none.received[0]!.json.type).toBe("telemetry")
    }))
})

describe("a client that does not read", () => {
  it("costs a bounded amount, delays no other, and gets the newest point once it reads", () =>
    withServer(async (live) => {
      live.hub.setRate(10_000)
      const slow = await live.connect("?events=lap,session")
      const quick = await live.connect("?events=session")
      slow.ws.pause()
      let published = 0
      let fences = 0
      // The kernel buffers some megabytes before the server notices.
      while (live.hub.stats().skipped < 20_000) {
        for (let batch = 0; batch < 10; batch++) {
          live.hub.publish(1, feed(published / 1000, 100, 1000))
          live.hub.publish(2, feed(published / 1000, 100, 1000))
          published += 100
          live.timing.advance(100)
        }
        live.fence()
        fences++
        await quick.upToFence()
      }
      expect(quick.total).toBe(2 * published + fences)
      for (let n = 1; n <= 100; n++) {
        live.hub.announce({ type: "lap", sessionId: 1, data: { ...lap, lapNumber: n } })
      }
      const newest = (published - 1) / 1000
      slow.ws.resume()
      const times = (id: number) =>
        slow.received
          .filter(({ json }) => json.session_id === id && json.type === "telemetry")
          .map(({ json }) => json.data["timestamp"]!)
      await until(() => times(1).at(-1) === newest && times(2).at(-1) === newest)
      for (const id of [1, 2]) {
        expect(times(id)).toEqual([...times(id)].sort((a, b) => a - b))
        expect(times(id).length).toBeLessThan(published)
      }
      const laps = slow.received
        .filter(({ json }) => json.type === "lap")
        .map(({ json }) => json.data["lap_number"])
      expect(laps.length).toBeLessThanOrEqual(KEPT_EVENTS)
      expect(laps.at(-1)).toBe(100)
      live.hub.publish(1, feed(newest + 1, 1, 60))
      await until(() => times(1).at(-1) === newest + 1)
      await until(() => quick.total + slow.total === live.hub.stats().sent)
      const offered = 2 * (2 * published + fences + 1) + 100
      expect(live.hub.stats().skipped).toBe(offered - live.hub.stats().sent)
    }))
})
