import { describe, expect, it } from "@effect/vitest"
import { once } from "node:events"
import {
  CLOSE_GOING_AWAY,
  CLOSE_TOO_BIG,
  MAX_CLIENT_MESSAGE_BYTES,
  PING_INTERVAL_MS
} from "../../src/live/transports/protocol.ts"
import { answerTo, dial, payload, upgradeRequest } from "./rawClient.ts"
import { feed, onePoint, until, withServer } from "./support.ts"

/** The library ends a server's socket that waits this long for its client's close frame. */
const WS_GIVES_UP_AFTER_MS = 30_000

describe("a live connection", () => {
  it("ignores messages of a client up to 1 KiB, and closes with 1009 for longer ones", () =>
    withServer(async (live) => {
      const client = await live.connect("?events=session")
      client.ws.send("x".repeat(MAX_CLIENT_MESSAGE_BYTES))
      client.ws.send(new Uint8Array(MAX_CLIENT_MESSAGE_BYTES))
      client.ws.ping()
      await once(client.ws, "pong")
      live.fence()
      expect(await client.upToFence()).toEqual([])
      client.ws.send("x".repeat(MAX_CLIENT_MESSAGE_BYTES + 1))
      expect(await client.closed).toBe(CLOSE_TOO_BIG)
      await until(() => live.hub.stats().subscribers === 0)
    }))

  it("drops a client that misses two pings, and none that answers", () =>
    withServer(async (live) => {
      const good = await live.connect()
      const deaf = await dial(live)
      deaf.socket.write(upgradeRequest())
      await until(() => live.hub.stats().subscribers === 2)
      for (let beat = 0; beat < 3; beat++) {
        const pinged = beat < 2 ? once(good.ws, "ping") : undefined
        live.timing.advance(PING_INTERVAL_MS)
        await pinged
        // The server has read the pong once it has answered a ping sent after it.
        good.ws.ping()
        await once(good.ws, "pong")
      }
      await until(() => deaf.socket.readableEnded)
      await until(() => live.hub.stats().subscribers === 1)
      deaf.socket.destroy()
      expect(good.ws.readyState).toBe(good.ws.OPEN)
    }))

  it("sends a heartbeat with each ping to a client that requests it, since a browser sees no pings", () =>
    withServer(async (live) => {
      const asking = await live.connect("?heartbeat=1&events=session")
      const other = await live.connect("?heartbeat=0&events=session")
      for (let beat = 0; beat < 2; beat++) {
        const pinged = [once(asking.ws, "ping"), once(other.ws, "ping")]
        live.timing.advance(PING_INTERVAL_MS)
        await Promise.all(pinged)
        for (const { ws } of [asking, other]) {
          ws.ping()
          await once(ws, "pong")
        }
      }
      live.fence()
      const received = (await asking.upToFence()).map(({ json }) => json)
      expect(received).toEqual([{ type: "heartbeat" }, { type: "heartbeat" }])
      expect(await other.upToFence()).toEqual([])
    }))

  it("forgets clients that vanish, half-close or never finish", () =>
    withServer(async (live) => {
      const clients = await Promise.all(Array.from({ length: 6 }, () => dial(live)))
      for (const { socket } of clients) socket.write(upgradeRequest("?session_id=1&rate=3"))
      await until(() => live.hub.stats().subscribers === clients.length)
      live.hub.publish(1, feed(0, 5, 60))
      clients.forEach(({ socket }, i) => {
        if (i < 2) socket.resetAndDestroy()
        else if (i < 4) socket.destroy()
        else socket.end()
      })
      for (let i = 0; live.hub.stats().subscribers > 0; i++) {
        live.hub.publish(1, feed(i + 1, 5, 60))
        await new Promise((done) => setImmediate(done))
      }
      await until(async () => (await live.openConnections()) === 0)
      expect(live.hub.samplers).toBe(0)
      expect(live.timing.alarms).toBe(0)
    }))

  it("reads bytes that came together with the upgrade request", () =>
    withServer(async (live) => {
      const whole = await dial(live)
      // A masked close frame (mask 0) with code 1000, cut in two.
      const close = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8])
      whole.socket.write(Buffer.concat([Buffer.from(upgradeRequest()), close.subarray(0, 3)]))
      await until(() => live.hub.stats().subscribers === 1)
      whole.socket.write(close.subarray(3))
      await once(whole.socket, "end")
      const bytes = payload(whole.text())
      expect(bytes).toEqual(Buffer.from([0x88, 2, 0x03, 0xe8]))
      whole.socket.end()
      await until(() => live.hub.stats().subscribers === 0)
    }))

  it("is refused with a reason before the upgrade", () =>
    withServer(async (live) => {
      const plain = await fetch(`http://127.0.0.1:${live.port}/live?rate=x`)
      expect(plain.status).toBe(426)
      expect(plain.headers.get("upgrade")).toBe("websocket")
      expect(await plain.json()).toHaveProperty("detail")

      const bad = (query: string, headers: Record<string, string> = {}) =>
        answerTo(live, upgradeRequest(query, headers))
      for (const query of [
        "rate=0",
        "rate=-1",
        "rate=x",
        "rate=",
        "rate=1e999",
        "rate=Infinity",
        "rate=0x10"
      ]) {
        const answer = await bad(`?${query}`)
        expect([query, answer.status]).toEqual([query, 422])
        expect(JSON.parse(JSON.parse(answer.body).detail)).toMatchObject({ name: "rate" })
      }
      for (const query of [
        "session_id=0",
        "session_id=1.5",
        "session_id=",
        "session_id=9e15",
        "events=lap,foo"
      ]) {
        expect([query, (await bad(`?${query}`)).status]).toEqual([query, 422])
      }
      expect((await bad("?session_id=77")).status).toBe(404)
      expect((await bad("?session_id=99999999999999999999")).status).toBe(422)
      const version = await bad("", { "Sec-WebSocket-Version": "12" })
      expect(version.status).toBe(426)
      expect(version.head).toContain("sec-websocket-version: 13")
      const faults = [
        { "Sec-WebSocket-Key": "short" },
        { "Sec-WebSocket-Protocol": "a, a" },
        { "Sec-WebSocket-Protocol": "," }
      ]
      for (const fault of faults) {
        const answer = await bad("", fault)
        expect([fault, answer.status]).toEqual([fault, 422])
        expect(JSON.parse(answer.body)).toHaveProperty("detail")
      }
      const noConnection = upgradeRequest("", { Connection: "close" })
      expect((await answerTo(live, noConnection)).status).toBe(426)
      expect(live.hub.stats().subscribers).toBe(0)
    }))

  it("releases a refused client that never closes its side", () =>
    withServer(async (live) => {
      const { socket } = await dial(live)
      socket.write(upgradeRequest("?rate=0"))
      await once(socket, "end")
      expect(socket.writable).toBe(true)
      await until(async () => (await live.openConnections()) === 0)
      socket.destroy()
    }))

  it("takes over the connection of earlier requests, also if an answer is outstanding", () =>
    withServer(async (live) => {
      const kept = await dial(live)
      kept.socket.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
      await until(() => kept.text().includes("detail"))
      kept.socket.write(upgradeRequest())
      await until(() => live.hub.stats().subscribers === 1)
      live.hub.publish(1, onePoint([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
      await until(() => kept.text().includes('"session_id"'))
      expect(kept.text()).toMatch(/"session_id":1}$/)
      const pipelined = await dial(live)
      pipelined.socket.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n" + upgradeRequest())
      await until(() => pipelined.text().includes("426"))
      kept.socket.destroy()
      pipelined.socket.destroy()
      await until(async () => (await live.openConnections()) === 0)
    }))

  it("closes with 1001 and nothing more when the service stops, also for clients that do not read", () =>
    withServer(async (live) => {
      const client = await live.connect()
      const deaf = await dial(live)
      deaf.socket.write(upgradeRequest("?session_id=1"))
      await until(() => live.hub.stats().subscribers === 2)
      const started = performance.now()
      await live.stop()
      expect(performance.now() - started).toBeLessThan(WS_GIVES_UP_AFTER_MS)
      expect(await client.closed).toBe(CLOSE_GOING_AWAY)
      await until(() => deaf.socket.readableEnded || deaf.socket.destroyed)
      const bytes = payload(deaf.text())
      expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x88, bytes.length - 2, 0x03, 0xe9]))
      expect(bytes.length).toBe(2 + bytes[1]!)
      deaf.socket.destroy()
      expect(live.hub.stats().subscribers).toBe(0)
      expect(live.timing.alarms).toBe(0)
    }))
})
