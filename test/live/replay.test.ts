/** Live clients that count points: missed points come again, once and in order, wherever they were meanwhile. */
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { BEHIND_BYTES, MAX_HELD } from "../../src/live/transports/protocol.ts"
import { MAX_REPLAYED, READ_POINTS } from "../../src/live/hub/replay.ts"
import { MAX_REPLAYS } from "../../src/live/hub/Replays.ts"
import { dial, upgradeRequest } from "./rawClient.ts"
import type { Client, Live } from "./support.ts"
import { feed, session, until, withServer } from "./support.ts"

const HZ = 60

/** A session under way: its points are sent at once, and stored when the test lets them be. */
const driving = ({ hub, points, timing }: Live) => {
  let shown = 0
  let stored = 0
  return {
    get shown() {
      return shown
    },
    show(count: number) {
      // The hand-turned clock follows the feed's, so that no point is held back.
      for (let n = 0; n < count; n++) {
        hub.publish(1, feed(shown / HZ, 1, HZ), shown + 1)
        shown++
        timing.advance(1000 / HZ)
      }
    },
    /** Points that another process records, and that do not come to this hub. */
    miss(count: number) {
      shown += count
      timing.advance((count * 1000) / HZ)
    },
    store(count = shown - stored) {
      if (count === 0) return
      points.store(1, feed(stored / HZ, count, HZ))
      stored += count
    }
  }
}

const telemetryOf = ({ received }: Client) =>
  received.flatMap(({ json }) => (json.type === "telemetry" ? [json] : []))
const sequencesOf = (client: Client) => telemetryOf(client).map(({ sequence }) => sequence!)

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

const upTo = (client: Client, sequence: number) => until(() => sequencesOf(client).at(-1) === sequence)

describe("a client that counts", () => {
  it("gets the number of each point, unlike other clients", () =>
    withServer(async (live) => {
      const drive = driving(live)
      const counting = await live.connect("?session_id=1&sequence=1")
      const plain = await live.connect("?session_id=1")
      drive.show(20)
      await upTo(counting, 20)
      await until(() => plain.received.length === 20)
      expect(sequencesOf(counting)).toEqual(range(1, 20))
      for (const { json, text } of counting.received) {
        expect(json.left_out).toBe(0)
        const asPlain = text.replace(/,"sequence":\d+,"left_out":0}$/, "}")
        expect(plain.received.map((message) => message.text)).toContain(asPlain)
      }
    }))

  it("can distinguish points that its rate leaves out from lost ones", () =>
    withServer(async (live) => {
      const drive = driving(live)
      const client = await live.connect("?session_id=1&sequence=1&rate=7")
      drive.show(200)
      // Lost on the way: never published here.
      live.hub.publish(1, feed(300 / HZ, 1, HZ), 301)
      live.timing.advance(1000)
      await upTo(client, 301)
      const messages = telemetryOf(client)
      expect(messages.length).toBeLessThan(40)
      const lost = messages.map(({ left_out, sequence }, n) => {
        const before = n === 0 ? 0 : messages[n - 1]!.sequence!
        return sequence! - before - 1 - left_out!
      })
      expect(lost.at(-1)).toBe(100)
      expect(lost.slice(0, -1).every((count) => count === 0)).toBe(true)
    }))

  it("gets points that did not come to its process from the store, and others go on without them", async () => {
    const step = FastCheck.record({
      before: FastCheck.integer({ min: 0, max: 30 }),
      missed: FastCheck.integer({ min: 1, max: 60 }),
      during: FastCheck.integer({ min: 0, max: 60 }),
      after: FastCheck.integer({ min: 1, max: 20 })
    })
    await FastCheck.assert(
      FastCheck.asyncProperty(step, async ({ after, before, during, missed }) =>
        withServer(async (live) => {
          const drive = driving(live)
          drive.show(1)
          drive.store()
          const counting = await live.connect("?session_id=1&sequence=1&since=0")
          const plain = await live.connect("?session_id=1")
          await upTo(counting, 1)
          drive.show(before)
          drive.miss(missed)
          let isRead = false
          live.points.beforeRead = () => {
            // More is missed while the first is read.
            isRead = true
            live.points.beforeRead = () => drive.store()
            drive.miss(during)
            drive.show(1)
            drive.store()
          }
          drive.show(after)
          await until(() => isRead && sequencesOf(counting).at(-1) === drive.shown)
          expect(sequencesOf(counting)).toEqual(range(1, drive.shown))
          const replays = counting.received.filter(({ json }) => json.type === "replay")
          expect(replays[1]!.json).toMatchObject({ since: 1 + before, missed: 0 })
          const shown = drive.shown - 1 - missed - during
          await until(() => plain.received.length === shown)
          expect(plain.received.every(({ json }) => json.type === "telemetry")).toBe(true)
        })
      ),
      { numRuns: 15 }
    )
  })

  it("gets null if the number is not known", () =>
    withServer(async (live) => {
      const client = await live.connect("?session_id=1&sequence=1")
      live.hub.publish(1, feed(0, 1, HZ))
      await until(() => client.received.length === 1)
      expect(client.received[0]!.text).toMatch(/,"sequence":null,"left_out":0}$/)
    }))
})

describe("a client that reconnects", () => {
  it("gets every point once and in order, whenever it left, came back, and the store caught up", async () => {
    const step = FastCheck.record({
      before: FastCheck.integer({ min: 1, max: 30 }),
      stored: FastCheck.integer({ min: 0, max: 30 }),
      away: FastCheck.integer({ min: 0, max: 40 }),
      meanwhile: FastCheck.integer({ min: 0, max: 20 }),
      after: FastCheck.integer({ min: 1, max: 20 })
    })
    await FastCheck.assert(
      FastCheck.asyncProperty(step, async ({ after, away, before, meanwhile, stored }) =>
        withServer(async (live) => {
          const drive = driving(live)
          const first = await live.connect("?session_id=1&sequence=1")
          drive.show(before)
          await upTo(first, before)
          drive.store(Math.min(stored, before))
          first.ws.terminate()
          drive.show(away)
          live.points.beforeRead = (reads) => {
            // The store is behind at the first read, and points keep arriving.
            if (reads === 1) drive.show(meanwhile)
            else drive.store()
          }
          const second = await live.connect(`?session_id=1&sequence=1&since=${before}`)
          await until(() => second.received.length > 0)
          expect(second.received[0]!.json).toMatchObject({ type: "replay", since: before, missed: 0 })
          // Points that come meanwhile arrive during the read, if there is one.
          const { from } = second.received[0]!.json as unknown as { readonly from: number | null }
          await until(() => from === null || live.points.reads > 0)
          drive.show(after)
          await upTo(second, drive.shown)
          expect(sequencesOf(second)).toEqual(range(before + 1, drive.shown))
          for (const { data, sequence } of telemetryOf(second))
            expect(data["timestamp"]).toBeCloseTo((sequence! - 1) / HZ, 9)
        })
      ),
      { numRuns: 15 }
    )
  })

  it("with a rate gets points at that distance, and none seems lost", () =>
    withServer(async (live) => {
      const drive = driving(live)
      drive.show(300)
      drive.store()
      const client = await live.connect("?session_id=1&sequence=1&rate=10&since=20")
      await upTo(client, 300)
      drive.show(300)
      live.timing.advance(1000)
      await upTo(client, 600)
      const messages = telemetryOf(client)
      expect(messages.length).toBeGreaterThan(95)
      expect(messages.length).toBeLessThan(105)
      let before = 20
      for (const { left_out, sequence } of messages) {
        expect(sequence!).toBeGreaterThan(before)
        expect(sequence! - before - 1 - left_out!).toBeLessThanOrEqual(0)
        before = sequence!
      }
    }))

  it("gets the number of points that are too old, and then the rest", () =>
    withServer(async (live) => {
      live.points.store(1, feed(0, MAX_REPLAYED + 100, 1000))
      const client = await live.connect("?session_id=1&sequence=1&rate=1&since=40")
      await upTo(client, MAX_REPLAYED + 100)
      expect(JSON.parse(client.received[0]!.text)).toEqual({
        type: "replay",
        session_id: 1,
        since: 40,
        from: 101,
        to: MAX_REPLAYED + 100,
        missed: 60
      })
      expect(sequencesOf(client)[0]).toBe(101)
    }))

  it("is informed if the session has fewer points than it knows, and goes on from there", () =>
    withServer(async (live) => {
      live.points.store(1, feed(0, 10, HZ))
      const client = await live.connect("?session_id=1&sequence=1&since=25")
      await until(() => client.received.length === 1)
      expect(JSON.parse(client.received[0]!.text)).toMatchObject({ since: 25, from: null, to: 10, missed: 0 })
      live.hub.publish(1, feed(10 / HZ, 1, HZ), 11)
      await upTo(client, 11)
      expect(sequencesOf(client)).toEqual([11])
    }))

  it("is informed if points that it has are numbered anew by another node, and only then", () =>
    withServer(async (live) => {
      const drive = driving(live)
      drive.show(10)
      drive.store()
      const watching = await live.connect("?session_id=1&sequence=1")
      drive.show(20)
      await upTo(watching, 30)
      // It waits for points that are not stored yet.
      const behind = await live.connect("?session_id=1&sequence=1&since=0")
      await upTo(behind, 10)
      // Of the 30 points shown, 24 were stored; another node goes on after them.
      drive.store(14)
      live.hub.publish(1, feed(24 / HZ, 3, HZ), 25)
      await upTo(watching, 27)
      const received = watching.received.map(({ json }) => (json.type === "replay" ? json : json.sequence))
      expect(received.slice(-4)).toEqual([
        { type: "replay", session_id: 1, since: 30, from: null, to: 24, missed: 0 },
        25,
        26,
        27
      ])
      await upTo(behind, 27)
      expect(sequencesOf(behind)).toEqual(range(1, 27))
      expect(behind.received.filter(({ json }) => json.type === "replay")).toHaveLength(1)
    }))

  it("gets the current number of its session among many others, and of an ended one from the store", () =>
    withServer(async ({ hub }) => {
      const many = 300
      for (const id of range(1, many)) hub.publish(id, feed(0, 2, HZ), id)
      expect(range(1, many).map(hub.newestOf)).toEqual(range(2, many + 1))
      hub.announce({ type: "session", sessionId: 6, data: { ...session, id: 6 }, changed: ["driver"] })
      hub.announce({ type: "session", sessionId: 7, data: { ...session, id: 7 } })
      expect([6, 7, 8].map(hub.newestOf)).toEqual([7, undefined, 9])
    }))

  it("loses nothing if more points arrive meanwhile than are held for it", () =>
    withServer(async (live) => {
      live.hub.setRate(10_000)
      const drive = driving(live)
      drive.show(10)
      drive.store()
      live.points.beforeRead = (reads) => {
        if (reads > 1) return
        drive.show(MAX_HELD + 500)
        drive.store()
      }
      const client = await live.connect("?session_id=1&sequence=1&since=4")
      await upTo(client, MAX_HELD + 510)
      expect(sequencesOf(client)).toEqual(range(5, MAX_HELD + 510))
    }))

  it("waits for its turn: a turn of the event loop reads for few of many that reconnect at once", () =>
    withServer(async (live) => {
      live.points.store(1, feed(0, 2000, HZ))
      let ofThisTurn = 0
      let most = 0
      live.points.beforeRead = () => {
        if (ofThisTurn++ === 0) setImmediate(() => (ofThisTurn = 0))
        most = Math.max(most, ofThisTurn)
      }
      const clients = await Promise.all(
        Array.from({ length: 50 }, () => live.connect("?session_id=1&sequence=1&since=0"))
      )
      for (const client of clients) await upTo(client, 2000)
      for (const client of clients) expect(sequencesOf(client)).toEqual(range(1, 2000))
      expect(most).toBeLessThanOrEqual(4)
    }))

  it("shares reads with others at the same place, until no read is under way", () =>
    withServer(async (live) => {
      live.points.store(1, feed(0, 2000, HZ))
      const storm = async () => {
        const before = live.points.reads
        const clients = await Promise.all(
          Array.from({ length: 20 }, () => live.connect("?session_id=1&sequence=1&since=0"))
        )
        for (const client of clients) await upTo(client, 2000)
        for (const client of clients) expect(sequencesOf(client)).toEqual(range(1, 2000))
        return live.points.reads - before
      }
      // A page of the store has 1,000 points, a part READ_POINTS of them, and both turns may read the same page.
      expect(await storm()).toBeLessThanOrEqual(4)
      await until(() => live.hub.replays.known(1, -Infinity, 1) === undefined)
      expect(await storm()).toBeGreaterThan(0)
    }))

  it("is refused with 503 while too many others are sent missed points, until one is done", () =>
    withServer(async (live) => {
      const ends = Array.from({ length: MAX_REPLAYS }, () => live.hub.replays.begin()!)
      const query = "?session_id=1&sequence=1&since=0"
      await expect(live.connect(query)).rejects.toThrow("503")
      // Clients without missed points are accepted.
      await live.connect("?session_id=1&sequence=1")
      // Released once, however often its end is reported.
      ends[0]!()
      ends[0]!()
      const client = await live.connect(query)
      await until(() => client.received.length === 1)
      await until(async () => {
        const end = live.hub.replays.begin()
        end?.()
        return end !== undefined
      })
      live.hub.replays.begin()
      await expect(live.connect(query)).rejects.toThrow("503")
    }))

  it("does not delay others if it reads nothing, and at most one read waits for it", () =>
    withServer(async (live) => {
      // 12 MB of text for each: more than the kernel buffers.
      live.points.store(1, feed(0, MAX_REPLAYED, HZ))
      const deaf = await Promise.all(
        Array.from({ length: 16 }, async () => {
          const { socket } = await dial(live)
          socket.pause()
          socket.write(upgradeRequest("?session_id=1&sequence=1&since=0"))
          return socket
        })
      )
      // More than get reads at once, and each has had its turn: a client that reads nothing gives its turn back.
      await until(() => live.heldBytes().filter((bytes) => bytes > BEHIND_BYTES).length === deaf.length)

      const since = MAX_REPLAYED - 2000
      const client = await live.connect(`?session_id=1&sequence=1&since=${since}`)
      await upTo(client, MAX_REPLAYED)
      live.hub.publish(1, feed(MAX_REPLAYED / HZ, 1, HZ), MAX_REPLAYED + 1)
      await upTo(client, MAX_REPLAYED + 1)
      expect(sequencesOf(client)).toEqual(range(since + 1, MAX_REPLAYED + 1))

      const longest = Math.max(...client.received.map(({ text }) => Buffer.byteLength(text)))
      const header = 4
      expect(Math.max(...live.heldBytes())).toBeLessThanOrEqual(
        BEHIND_BYTES + READ_POINTS * (longest + header)
      )
      for (const socket of deaf) socket.destroy()
    }))

  it.each([
    "sequence=1",
    "session_id=1&sequence=yes",
    "session_id=1&since=3",
    "session_id=1&sequence=1&since=-1",
    "session_id=1&sequence=1&since=1.5"
  ])("is refused before the upgrade: %s", (query) =>
    withServer((live) => expect(live.connect(`?${query}`)).rejects.toThrow("422"))
  )
})
