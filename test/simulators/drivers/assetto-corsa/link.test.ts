/** Assetto Corsa: how its bytes are decoded, and how a link reads them. */
import { describe, expect, it } from "vitest"
import { encodeAnswer } from "../../../../simulator/emulators/assetto-corsa/encode.ts"
import { problemWith } from "../../../../src/simulators/drivers/assetto-corsa/decode.ts"
import { answer as answerTable, operations } from "../../../../src/simulators/drivers/assetto-corsa/layout.ts"
import { answer, car, link, names } from "./link.ts"
import { column, discarded, eventsOf, story } from "../suite/events.ts"
import { lapNumbersOf } from "../../lapColumns.ts"

const operationOf = (request: Uint8Array) => Object.keys(operations)[request[8]!]

/** The name that the driver reads from bytes that begin so. */
const driverOf = (text: string) => {
  const bytes = answer()
  bytes.write(text, 100, "utf16le")
  expect(problemWith(bytes)).toBeUndefined()
  return answerTable.readText.driverName(bytes)
}

describe("names", () => {
  it.each([
    ["end at the first %", "Ana%Bea%", "Ana"],
    ["end at a zero if there is no %", "Ana\0Bea", "Ana"],
    ["end at the % also behind a zero", "A\0na%", "Ana"],
    ["are trimmed", "  Ana %", "Ana"],
    ["may be empty", "%Ana", ""],
    ["lose halves of characters", "A\ud800na\udc00%", "Ana"]
  ])("%s", (_, text, expected) => {
    expect(driverOf(text)).toBe(expected)
  })

  it("have all 50 characters if neither is there", () => {
    expect(driverOf("n".repeat(50))).toBe("n".repeat(50))
  })
})

describe("a link", () => {
  it("asks until it is answered, subscribes, and dismisses at the end", () => {
    const { conversation, receive, sent } = link()
    conversation.tick()
    conversation.tick()
    expect(conversation.state()._tag).toBe("Waiting")
    receive([answer()])
    expect(conversation.state()._tag).toBe("Answered")
    conversation.sendDisconnect()
    expect(sent.map(operationOf)).toEqual([
      "handshake",
      "handshake",
      "subscribeUpdates",
      "subscribeSpots",
      "dismiss"
    ])
    expect(conversation.simulator()).toBe("Assetto Corsa")
  })

  it("subscribes again while no car info comes", () => {
    const { conversation, receive, sent } = link()
    receive([answer()])
    conversation.tick()
    receive([car(0, 10)])
    conversation.tick()
    expect(sent.map(operationOf).filter((operation) => operation === "subscribeUpdates")).toHaveLength(2)
  })

  it("dismisses no game that never answered, and reads no cars before the answer", () => {
    const { conversation, receive, sent } = link()
    expect(receive([car(0, 10)])).toEqual([])
    conversation.sendDisconnect()
    expect(sent).toEqual([])
  })

  it.each([
    ["", "Monza"],
    ["Monza", "Monza"],
    ["junior", "Monza - junior"]
  ])("names the circuit with its layout %j", (config, circuit) => {
    const events = link().receiveAll([
      encodeAnswer({ ...names, trackName: "Monza", trackConfig: config }),
      car(0, 10)
    ])
    expect(events[0]).toMatchObject({ _tag: "SessionStarted", circuit, vehicle: "abarth500", driver: "Ana" })
  })

  it("an answer that comes twice changes nothing, and one with other names begins a session", () => {
    const { receive } = link()
    const other = encodeAnswer({ ...names, carName: "ks_ferrari" })
    const events = receive([
      answer(),
      car(3, 50_000),
      answer(),
      car(3, 50_010),
      other,
      car(0, 10),
      car(0, 20)
    ])
    expect(story(events)).toEqual(["SessionStarted", 2, "SessionStarted", 2])
    expect(eventsOf(events, "SessionStarted").map(({ vehicle }) => vehicle)).toEqual([
      "abarth500",
      "ks_ferrari"
    ])
  })
})

describe("points", () => {
  it("have our units, signs and axes", () => {
    const info = car(0, 10, {
      speed: 180,
      rpm: 7000,
      gear: 0,
      gas: 0.5,
      brake: 0.25,
      steer: -225,
      x: 1,
      y: 2,
      z: 3
    })
    const [points] = eventsOf(link().receiveAll([answer(), info]), "Points")
    const [, ...values] = points!.batch.data
    expect(values).toEqual([180, 7000, -1, 0.5, 0.25, -0.5, 1, -3, 2])
    expect(lapNumbersOf(points!)).toEqual([1])
  })

  it.each([
    [450, 1],
    [-2000, -1],
    [90, 0.5, 360]
  ])("are steered by %d degrees: %d of a lock of %s", (steer, expected, steeringLock?: number) => {
    const options = steeringLock === undefined ? {} : { steeringLock }
    const events = link(options).receiveAll([answer(), car(0, 10, { steer })])
    expect(column(events, "steering")).toEqual([expected])
  })

  it("come once, also if packets were repeated or overtaken", () => {
    const events = link().receive([answer(), ...[0, 16, 16, 48, 32, 64].map((lapTime) => car(1, lapTime))])
    expect(column(events, "timestamp")).toHaveLength(4)
    expect(discarded(events, "late")).toBe(2)
  })

  it("do not come in a pause, of which only the first packet counts as a repetition", () => {
    const paused = Array.from({ length: 600 }, () => car(1, 5016))
    const events = link().receive([answer(), car(1, 5000), car(1, 5016), ...paused, car(1, 5033)])
    expect(story(events)).toEqual(["SessionStarted", 3])
    expect(discarded(events, "late")).toBe(1)
  })

  it("with a value that is no number are discarded", () => {
    const broken = car(0, 20, { x: Number.NaN })
    const events = link().receive([answer(), car(0, 10), broken, car(0, 30)])
    expect(column(events, "timestamp")).toHaveLength(2)
    expect(eventsOf(events, "Discarded")).toEqual([
      expect.objectContaining({ reason: "not_finite", points: 1 })
    ])
  })
})
