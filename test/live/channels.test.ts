/** Channels beside the points of live telemetry. */
import { describe, expect, it } from "@effect/vitest"
import { MAX_SELECTIONS, MAX_SELECTIONS_OF_CLIENT } from "../../src/live/channels/ChannelSelection.ts"
import { GroupHistory } from "../../src/live/channels/GroupHistory.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { Client, type Live, pointsAt, session, until, withServer } from "./support.ts"
import { once } from "node:events"
import type { ClientOptions } from "ws"

/** Rows of a group: each has its time and the values of its channels. */
const rows = (names: ReadonlyArray<string>, ...all: ReadonlyArray<ReadonlyArray<number>>): RowBatch => {
  const batch: RowBatch = RowBatch.allocate(all.length, ["timestamp", ...names])
  for (const [i, row] of all.entries())
    for (const [c, value] of row.entries()) batch.data[c * all.length + i] = value
  return batch
}

const add = ({ hub }: Live, group: string, batch: RowBatch, sessionId = 1) =>
  hub.addSamples(sessionId, [{ group, batch }])

/** The status of an upgrade; 101 if the client is accepted. */
const statusOf = (url: string, options: ClientOptions = {}) =>
  new Promise<number>((resolve) => {
    const client = new Client(url, options)
    client.ws.on("error", () => {})
    client.ws.once("open", () => resolve(101))
    client.ws.once("unexpected-response", (_, { statusCode }) => resolve(statusCode!))
  })

const channelsOf = async ({ fence }: Live, client: Client) => {
  fence()
  const messages = await client.upToFence()
  return messages.map(({ json, text }) => {
    expect(Object.keys(JSON.parse(text)).slice(0, 3)).toEqual(["type", "data", "session_id"])
    return (json as { readonly channels?: object }).channels
  })
}

describe("channels beside live points", () => {
  it("have the values of the group's last row not after each point, and null before the first", () =>
    withServer(async (live) => {
      const client = await live.connect("?channels=fuel,nothing&events=session")
      add(live, "fuel", rows(["fuel"], [1.5, 40], [2, 39], [3, 38]))
      live.hub.publish(1, pointsAt([1, 1.5, 2.9]))
      live.hub.publish(1, pointsAt([3.0, 9]))
      live.timing.advance(1000)
      expect(await channelsOf(live, client)).toEqual([
        { fuel: null, nothing: null },
        { fuel: 40, nothing: null },
        { fuel: 39, nothing: null },
        { fuel: 38, nothing: null },
        { fuel: 38, nothing: null }
      ])
    }))

  it("follow the session's dictionary as it grows, also before the first row of a channel", () =>
    withServer(async (live) => {
      const client = await live.connect("?channels=tyre_*&events=session")
      live.hub.publish(1, pointsAt([1]))
      add(live, "tyres", rows(["tyre_a"], [1.5, 80]))
      live.hub.publish(1, pointsAt([2]))
      add(live, "tyres", rows(["tyre_a", "tyre_b"]))
      live.hub.publish(1, pointsAt([3]))
      add(live, "tyres", rows(["tyre_a", "tyre_b", "grip"], [3.5, NaN, 81, 1]))
      live.hub.publish(1, pointsAt([4]))
      live.timing.advance(1000)
      expect(await channelsOf(live, client)).toEqual([
        {},
        { tyre_a: 80 },
        { tyre_a: 80, tyre_b: null },
        { tyre_a: null, tyre_b: 81 }
      ])
    }))

  it("are the point's own for one of the ten, and are not affected by other sessions", () =>
    withServer(async (live) => {
      const client = await live.connect("?channels=speed,steering,fuel&events=session&session_id=1")
      add(live, "fuel", rows(["fuel"], [1, 5]), 2)
      live.hub.publish(1, pointsAt([1, 2]))
      live.hub.publish(2, pointsAt([1, 2]))
      live.timing.advance(1000)
      // This client gets no event of another session.
      await until(() => client.received.length === 2)
      expect(client.received.map(({ json }) => json)).toMatchObject([
        { session_id: 1, channels: { fuel: null, speed: 0, steering: 0 } },
        { session_id: 1, channels: { fuel: null, speed: 1, steering: 0 } }
      ])
    }))

  it("change no byte of what clients without them get", () =>
    withServer(async (live) => {
      const plain = await live.connect("?events=session")
      const alone = async () => {
        live.timing.advance(1000)
        live.fence()
        return (await plain.upToFence()).map(({ text }) => text)
      }
      live.hub.publish(1, pointsAt([1]))
      const before = await alone()
      const other = await live.connect("?channels=*")
      add(live, "fuel", rows(["fuel"], [0.5, 5]))
      live.hub.publish(1, pointsAt([1]))
      expect(await alone()).toEqual(before)
      expect(before).toHaveLength(1)
      other.ws.terminate()
    }))

  it("come with numbered messages as well", () =>
    withServer(async (live) => {
      const client = await live.connect("?channels=fuel&events=session&session_id=1&sequence=1")
      add(live, "fuel", rows(["fuel"], [0.5, 5]))
      live.hub.publish(1, pointsAt([1]), 7)
      live.timing.advance(1000)
      await until(() => client.received.length === 1)
      expect(client.received[0]!.json).toMatchObject({ channels: { fuel: 5 }, sequence: 7, left_out: 0 })
    }))

  it("come with the last point of a session, before its end, and are forgotten then", () =>
    withServer(async (live) => {
      const client = await live.connect("?channels=fuel&events=session&rate=1")
      add(live, "fuel", rows(["fuel"], [0.5, 5]))
      live.hub.publish(1, pointsAt([1]))
      live.hub.publish(1, pointsAt([1.1]))
      live.hub.announce({ type: "session", sessionId: 1, data: session })
      live.hub.publish(1, pointsAt([9]))
      live.timing.advance(5000)
      expect(await channelsOf(live, client)).toEqual([{ fuel: 5 }, { fuel: 5 }, undefined, { fuel: null }])
    }))

  it("are watched while a client selects them, and announced once for equal selections", () =>
    withServer(async (live) => {
      const announced: Array<unknown> = []
      live.hub.onWanted(({ channels }) => announced.push(channels))
      expect(announced).toEqual([[]])
      announced.length = 0
      const one = await live.connect("?channels=fuel,tyre_*")
      const other = await live.connect("?channels=tyre_*&channels=fuel,fuel")
      expect(announced).toEqual([[{ channels: ["fuel", "tyre_*"], sessions: undefined }]])
      const third = await live.connect("?channels=fuel&session_id=2")
      expect(announced.at(-1)).toEqual([
        { channels: ["fuel", "tyre_*"], sessions: undefined },
        { channels: ["fuel"], sessions: [2] }
      ])
      for (const client of [one, other, third]) {
        client.ws.close()
        await client.closed
      }
      await until(() => announced.length === 4)
      expect(announced.at(-1)).toEqual([])
    }))

  it("are made once for each selection and rate", () =>
    withServer(async (live) => {
      const clients = await Promise.all(
        Array.from({ length: 5 }, () => live.connect("?channels=fuel&events=session"))
      )
      live.hub.publish(1, pointsAt([1]))
      expect(live.hub.samplers).toBe(1)
      await live.connect("?channels=fuel&rate=5")
      await live.connect("?channels=oil&rate=5")
      live.hub.publish(1, pointsAt([2]))
      expect(live.hub.samplers).toBe(3)
      for (const client of clients) expect(await channelsOf(live, client)).toHaveLength(2)
    }))

  it("are refused with 503 beyond the limit of selections, until one is released", () =>
    withServer(async (live) => {
      const clients: Array<Client> = []
      for (let n = 0; n < MAX_SELECTIONS; n++) {
        const localAddress = `127.0.0.${2 + Math.floor(n / MAX_SELECTIONS_OF_CLIENT)}`
        clients.push(await new Client(`${live.url}?channels=c${n}`, { localAddress }).opened())
      }
      // One selection is shared.
      await live.connect("?channels=c3")
      const status = () => statusOf(`${live.url}?channels=one_more`)
      expect(await status()).toBe(503)
      clients[0]!.ws.close()
      await clients[0]!.closed
      let last = 503
      while (last === 503) last = await status()
      expect(last).toBe(101)
    }))

  it("are refused to one address with 429 beyond its share, and not to another", () =>
    withServer(async (live) => {
      const clients: Array<Client> = []
      for (let n = 0; n < MAX_SELECTIONS_OF_CLIENT; n++) {
        // However many sockets select it.
        clients.push(await live.connect(`?channels=c${n}`), await live.connect(`?channels=c${n}`))
      }
      const status = (options: ClientOptions = {}) => statusOf(`${live.url}?channels=other`, options)
      expect(await status()).toBe(429)
      expect(await status({ localAddress: "127.0.0.2" })).toBe(101)
      for (const { closed, ws } of clients.slice(0, 2)) {
        ws.close()
        await closed
      }
      let last = 429
      while (last === 429) last = await status()
      expect(last).toBe(101)
    }))

  it("are refused if a name is not valid", () =>
    withServer(async (live) => {
      const status = (query: string) => statusOf(live.url + query)
      expect(await status("?channels=Fuel")).toBe(422)
      expect(await status("?channels=fuel,a-b")).toBe(422)
      expect(await status(`?channels=${"a".repeat(64)}`)).toBe(422)
      expect(await status(`?channels=${"a,".repeat(513)}`)).toBe(422)
      expect(await status(`?channels=${"a".repeat(63)},*`)).toBe(101)
      expect(await status("?channels=")).toBe(101)
    }))

  it("keep only the newest message for a client that reads nothing", () =>
    withServer(async (live) => {
      const deaf = await live.connect("?channels=*&events=session")
      deaf.ws.pause()
      const names = Array.from({ length: 200 }, (_, i) => `channel_${i}`)
      for (let n = 1; n < 1600; n++) {
        add(live, "wide", rows(names, [n / 60, ...names.map((_, i) => n + i / 7)]))
        live.hub.publish(1, pointsAt([n / 60]))
        live.timing.advance(1000 / 60)
      }
      // Shorter than two unanswered pings, which would end the connection.
      live.timing.advance(1000)
      // 16 times the bytes that a client without channels may be behind, one write of messages, and the waiting ones.
      expect(Math.max(...live.heldBytes())).toBeLessThan(4 * 1024 * 1024)
      const { skipped } = live.hub.stats()
      expect(skipped).toBeGreaterThan(0)
      deaf.ws.resume()
      while (deaf.received.at(-1)?.json.data["timestamp"] !== 1599 / 60) await once(deaf.ws, "message")
    }))
})

describe("GroupHistory", () => {
  it("has the newest rows, in the order of their times, up to a bound", () => {
    const history = new GroupHistory(["timestamp", "a"])
    for (let n = 0; n < 5000; n += 5) {
      history.add(rows(["a"], ...Array.from({ length: 5 }, (_, i) => [n + i, 10 * (n + i)])))
    }
    // A row that it already has.
    history.add(rows(["a"], [4990, 1], [4999, 1]))
    expect(history.rows).toBe(2048)
    expect(history.value(history.rowAt(4999), 1)).toBe(49_990)
    expect(history.value(history.rowAt(4000.5), 1)).toBe(40_000)
    expect(history.value(history.rowAt(5000 - 2048), 1)).toBe(10 * (5000 - 2048))
    expect(history.rowAt(5000 - 2049)).toBe(-1)
  })

  it("keeps a row of any width, and the end of a batch that is too long", () => {
    const names = Array.from({ length: 511 }, (_, i) => `c${i}`)
    const history = new GroupHistory(["timestamp", ...names])
    history.add(rows(names, ...Array.from({ length: 1000 }, (_, n) => [n, ...names.map(() => n)])))
    expect(history.rows).toBe(256)
    expect(history.value(history.rowAt(999), 511)).toBe(999)
    expect(history.value(0, 1)).toBe(744)
  })

  it("keeps its rows when the group gets another channel", () => {
    const history = new GroupHistory(["timestamp", "a"])
    history.add(rows(["a"], [1, 10], [2, 20]))
    expect(history.add(rows(["a", "b"], [3, 30, 300]))).toBe(true)
    expect([0, 1, 2].map((row) => [history.value(row, 1), history.value(row, 2)])).toEqual([
      [10, NaN],
      [20, NaN],
      [30, 300]
    ])
  })
})
