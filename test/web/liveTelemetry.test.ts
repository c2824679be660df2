/** The live feed of a page, over sockets and a clock of the test's own. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"

interface Feed {
  readonly link: { readonly value: string }
  readonly session: { readonly value: number | undefined }
  readonly absent: { value: ReadonlyArray<string> }
  readonly reported: { readonly value: ReadonlyArray<string> }
  readonly stale: { readonly value: boolean }
  readonly point: Readonly<Record<string, number>>
  readonly values: Readonly<Record<string, number>>
  readonly topRpm: number
  readonly isTopKnown: boolean
  readonly points: number
  close(): void
}

class FakeSocket extends EventTarget {
  static readonly opened: Array<FakeSocket> = []
  readonly url: URL
  isClosed = false

  constructor(url: URL) {
    super()
    this.url = url
    FakeSocket.opened.push(this)
  }

  close() {
    this.isClosed = true
  }

  say(message: object) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }))
  }

  onAir(session: number | null) {
    this.say({ type: "on_air", session_id: session, data: { mode: "auto" } })
  }

  point(
    session: number,
    timestamp: number,
    values: Readonly<Record<string, number | null>> = {},
    channels = {}
  ) {
    this.say({ type: "telemetry", session_id: session, data: { timestamp, ...values }, channels })
  }
}

/** Imported by its address: it is browser code, whose types differ from those of the tests. */
const loaded = async () => {
  const at = new URL("../../web/src/live/LiveTelemetry.ts", import.meta.url).href
  return (await import(at)) as {
    readonly LiveTelemetry: new (wanted: {
      readonly rate: number
      readonly sessionId?: number
      readonly channels?: ReadonlyArray<string>
    }) => Feed
  }
}

const feeds: Array<Feed> = []

interface Asked {
  readonly rate?: number
  readonly sessionId?: number
  readonly channels?: ReadonlyArray<string>
}

const opened = async (wanted: Asked = {}) => {
  const { LiveTelemetry } = await loaded()
  const feed = new LiveTelemetry({ rate: 30, ...wanted })
  feeds.push(feed)
  const socket = FakeSocket.opened.at(-1)!
  socket.dispatchEvent(new Event("open"))
  socket.onAir(1)
  return { feed, socket }
}

const page = new EventTarget()
const window = new EventTarget()

beforeEach(() => {
  FakeSocket.opened.length = 0
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] })
  vi.stubGlobal("WebSocket", FakeSocket)
  vi.stubGlobal(
    "document",
    Object.assign(page, { visibilityState: "visible", documentElement: { dataset: {} } })
  )
  vi.stubGlobal("window", window)
  vi.stubGlobal("location", new URL("http://localhost/overlay/revs"))
})

afterEach(() => {
  for (const feed of feeds.splice(0)) feed.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it("the live feed shows the session that is on air, whichever others send, and changes with it", async () => {
  const { feed, socket } = await opened()
  expect(socket.url.searchParams.get("events")).toBe("lap,session,on_air")
  socket.point(2, 100)
  expect([feed.session.value, feed.points]).toEqual([1, 0])
  socket.point(1, 100)
  // Its end is no reason to show another.
  socket.say({ type: "session", session_id: 1, data: { id: 1 } })
  vi.advanceTimersByTime(30_000)
  socket.point(2, 160)
  expect([feed.session.value, feed.points]).toEqual([1, 1])
  socket.onAir(2)
  expect(feed.session.value).toBe(2)
  socket.point(1, 161)
  socket.point(2, 161, { speed: 80 })
  expect([feed.points, feed.point["speed"]]).toEqual([2, 80])
  // Without any session it keeps what it shows.
  socket.onAir(null)
  expect(feed.session.value).toBe(2)
})

it("the live feed of a named session does not ask what is on air", async () => {
  const { feed, socket } = await opened({ sessionId: 7 })
  expect(socket.url.searchParams.get("events")).toBe("lap,session")
  socket.point(7, 100)
  expect(feed.session.value).toBe(7)
})

it("the live feed requests a heartbeat, and opens a new socket if it receives none", async () => {
  const { feed, socket } = await opened()
  expect(socket.url.searchParams.get("heartbeat")).toBe("1")
  for (let beat = 0; beat < 6; beat++) {
    vi.advanceTimersByTime(15_000)
    socket.say({ type: "heartbeat" })
  }
  expect(FakeSocket.opened).toHaveLength(1)
  vi.advanceTimersByTime(41_000)
  expect(FakeSocket.opened).toHaveLength(2)
  expect([socket.isClosed, feed.link.value]).toEqual([true, "connecting"])
  const next = FakeSocket.opened[1]!
  next.dispatchEvent(new Event("open"))
  next.point(1, 100)
  // The old socket sends nothing any more, and its end is not that of the new one.
  socket.point(9, 100)
  socket.dispatchEvent(new Event("close"))
  vi.advanceTimersByTime(1000)
  expect([feed.session.value, feed.link.value, FakeSocket.opened.length]).toEqual([1, "open", 2])
})

it.each([
  ["visibilitychange", page],
  ["pageshow", window],
  ["online", window]
])("the live feed opens a new socket at %s, unless points arrive", async (type, target) => {
  const { feed, socket } = await opened()
  socket.point(1, 100)
  target.dispatchEvent(new Event(type))
  expect(FakeSocket.opened).toHaveLength(1)
  vi.advanceTimersByTime(2000)
  target.dispatchEvent(new Event(type))
  expect(FakeSocket.opened).toHaveLength(2)
  feed.close()
  target.dispatchEvent(new Event(type))
  expect(FakeSocket.opened).toHaveLength(2)
})

it("the live feed opens no second socket if a page comes back while it waits to reconnect", async () => {
  const { socket } = await opened()
  socket.dispatchEvent(new Event("close"))
  window.dispatchEvent(new Event("online"))
  vi.advanceTimersByTime(10_000)
  expect(FakeSocket.opened).toHaveLength(2)
})

it("the live feed stays with a session that has ended and is recorded into again", async () => {
  const { feed, socket } = await opened()
  socket.point(1, 100)
  socket.say({ type: "session", session_id: 1, data: { id: 1 } })
  vi.advanceTimersByTime(3000)
  socket.point(1, 103)
  socket.point(2, 103)
  expect(feed.session.value).toBe(1)
})

it("the live feed begins anew with a session: no value of the last car stays", async () => {
  const { feed, socket } = await opened()
  for (let i = 0; i < 3; i++) socket.point(1, 100 + i, { rpm: 9000, gear: 5, speed: null }, { fuel: 40 })
  vi.advanceTimersByTime(300)
  expect(feed.absent.value).toContain("speed")
  expect([feed.topRpm, feed.values["fuel"], feed.reported.value]).toEqual([9000, 40, ["fuel"]])
  socket.onAir(2)
  socket.point(2, 50, { speed: 80 })
  expect([feed.topRpm, feed.values["fuel"], feed.reported.value, feed.absent.value]).toEqual([
    0,
    undefined,
    [],
    []
  ])
  expect([feed.point["rpm"], feed.point["gear"], feed.point["speed"]]).toEqual([Number.NaN, Number.NaN, 80])
})

it("the live feed takes the steering, which points of the WebSocket lack, from the channels", async () => {
  const { feed, socket } = await opened({ channels: ["steering"] })
  expect(socket.url.searchParams.get("channels")).toBe("steering")
  socket.point(1, 100, { speed: 80 }, { steering: -0.25 })
  expect(feed.point["steering"]).toBe(-0.25)
  vi.advanceTimersByTime(300)
  for (let i = 1; i < 4; i++) socket.point(1, 100 + i, { speed: 80 }, { steering: 0.5 })
  vi.advanceTimersByTime(300)
  expect(feed.absent.value).not.toContain("steering")
  socket.onAir(2)
  for (let i = 0; i < 4; i++) socket.point(2, 100 + i, { speed: 80 }, { steering: null })
  vi.advanceTimersByTime(300)
  expect([feed.point["steering"], feed.absent.value.includes("steering")]).toEqual([Number.NaN, true])
  // A feed without that channel cannot know it.
  const other = await opened()
  for (let i = 0; i < 4; i++) other.socket.point(1, 100 + i, { speed: 80 })
  vi.advanceTimersByTime(300)
  expect(other.feed.absent.value).not.toContain("steering")
})

it("the live feed does not take a single spike for the engine's highest revolutions", async () => {
  const { feed, socket } = await opened()
  for (const [i, rpm] of [6000, 6100, 32_767, 6050, 6200, 6150].entries()) socket.point(1, 100 + i, { rpm })
  expect(feed.topRpm).toBe(6150)
})

it("the live feed knows the engine's highest revolutions after half a minute, and not those of the next car", async () => {
  const { feed, socket } = await opened()
  for (const [i, known] of [false, false, false, true].entries()) {
    socket.point(1, 100 + 10 * i, { rpm: 6000 })
    expect([i, feed.isTopKnown]).toEqual([i, known])
  }
  // A clock that goes back begins anew.
  socket.point(1, 60, { rpm: 6000 })
  expect(feed.isTopKnown).toBe(false)
  socket.point(1, 90, { rpm: 6000 })
  expect(feed.isTopKnown).toBe(true)
  socket.onAir(2)
  socket.point(2, 500, { rpm: 6000 })
  expect(feed.isTopKnown).toBe(false)
})

it("the live feed is stale after some intervals of its rate, which may be long", async () => {
  const { feed, socket } = await opened({ rate: 0.2 })
  socket.point(1, 100)
  vi.advanceTimersByTime(6000)
  expect(feed.stale.value).toBe(false)
  // Another car is no reason to leave the session sooner.
  socket.point(2, 100)
  expect(feed.session.value).toBe(1)
  vi.advanceTimersByTime(15_000)
  expect(feed.stale.value).toBe(true)
})
