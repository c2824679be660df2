/** Assetto Corsa: how its bytes are decoded, and how a link reads them. */
import { describe, expect, it } from "vitest"
import { encodeAnswer, encodeSpot } from "../../../simulator/emulators/assetto-corsa/encode.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { problemWith } from "../../../src/simulators/drivers/assetto-corsa/decode.ts"
import { answer as answerTable, operations } from "../../../src/simulators/drivers/assetto-corsa/layout.ts"
import { answer, car, drive, link, names } from "./assettoCorsaLink.ts"
import { bytesOf, fuzz, goldenVectors, haveGolden, linkOptions, opened } from "./interpreting.ts"
import { column, late, only, story } from "./said.ts"
import { lapNumbersOf } from "../lapsSaid.ts"

const asked = (request: Uint8Array) => Object.keys(operations)[request[8]!]

/** What is read of a driver's name that begins so. */
const driverOf = (text: string) => {
  const bytes = answer()
  bytes.write(text, 100, "utf16le")
  expect(problemWith(bytes)).toBeUndefined()
  return answerTable.readText.driverName(bytes)
}

describe("names", () => {
  it.each([
    ["end at the first %", "Ana%Bea%", "Ana"],
    ["end at a zero where there is no %", "Ana\0Bea", "Ana"],
    ["end at the % also behind a zero", "A\0na%", "Ana"],
    ["are trimmed", "  Ana %", "Ana"],
    ["may be empty", "%Ana", ""],
    ["lose halves of characters", "A\ud800na\udc00%", "Ana"]
  ])("%s", (_, text, expected) => {
    expect(driverOf(text)).toBe(expected)
  })

  it("have all 50 characters where neither is there", () => {
    expect(driverOf("n".repeat(50))).toBe("n".repeat(50))
  })
})

describe("what is refused", () => {
  it("other lengths", () => {
    for (const length of [0, 12, 327, 329, 407]) {
      const reason = `a datagram of ${length} bytes, where 408, 328 or 212 are expected`
      expect(problemWith(Buffer.alloc(length))).toBe(reason)
    }
  })

  it("other marks", () => {
    expect(problemWith(Buffer.alloc(328))).toBe("a car info marked 0 instead of 97")
    expect(problemWith(Buffer.alloc(408))).toBe("a handshake answered with 0 instead of 4242")
  })

  it("and counted, while the link goes on", () => {
    const said = link().hears([answer(), car(0, 10), Buffer.alloc(7), car(0, 20)])
    expect(story(said)).toEqual(["SessionStarted", 1, "Refused", 1])
  })

  it("points with a value that is no number", () => {
    const broken = car(0, 20, { x: Number.NaN })
    const said = link().hears([answer(), car(0, 10), broken, car(0, 30)])
    expect(column(said, "timestamp")).toHaveLength(2)
    expect(only(said, "Discarded")).toEqual([expect.objectContaining({ reason: "not_finite", points: 1 })])
  })
})

describe("a link", () => {
  it("asks until it is answered, subscribes, and takes its leave", () => {
    const { conversation, hears, sent } = link()
    conversation.tick()
    conversation.tick()
    expect(conversation.state()._tag).toBe("Waiting")
    hears([answer()])
    expect(conversation.state()._tag).toBe("Answered")
    conversation.sendDisconnect()
    expect(sent.map(asked)).toEqual([
      "handshake",
      "handshake",
      "subscribeUpdates",
      "subscribeSpots",
      "dismiss"
    ])
    expect(conversation.simulator()).toBe("Assetto Corsa")
  })

  it("subscribes again while no car is heard of", () => {
    const { conversation, hears, sent } = link()
    hears([answer()])
    conversation.tick()
    hears([car(0, 10)])
    conversation.tick()
    expect(sent.map(asked).filter((operation) => operation === "subscribeUpdates")).toHaveLength(2)
  })

  it("takes no leave of a game that never answered, and reads no cars before the answer", () => {
    const { conversation, hears, sent } = link()
    expect(hears([car(0, 10)])).toEqual([])
    conversation.sendDisconnect()
    expect(sent).toEqual([])
  })

  it.each([
    ["", "Monza"],
    ["Monza", "Monza"],
    ["junior", "Monza - junior"]
  ])("names the circuit with its layout %j", (config, circuit) => {
    const said = link().hearsAll([
      encodeAnswer({ ...names, trackName: "Monza", trackConfig: config }),
      car(0, 10)
    ])
    expect(said[0]).toMatchObject({ _tag: "SessionStarted", circuit, vehicle: "abarth500", driver: "Ana" })
  })

  it("an answer that comes twice changes nothing, one with other names begins a session", () => {
    const { hears } = link()
    const other = encodeAnswer({ ...names, carName: "ks_ferrari" })
    const said = hears([answer(), car(3, 50_000), answer(), car(3, 50_010), other, car(0, 10), car(0, 20)])
    expect(story(said)).toEqual(["SessionStarted", 2, "SessionStarted", 2])
    expect(only(said, "SessionStarted").map(({ vehicle }) => vehicle)).toEqual(["abarth500", "ks_ferrari"])
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
    const [points] = only(link().hearsAll([answer(), info]), "Points")
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
    const said = link(options).hearsAll([answer(), car(0, 10, { steer })])
    expect(column(said, "steering")).toEqual([expected])
  })

  it("begin at the time of their arrival, and go on by the simulator's", () => {
    const said = link().hears([answer(), car(2, 41_000), car(2, 41_016), car(2, 41_050)])
    const [first = 0, ...rest] = column(said, "timestamp")
    expect(first).toBeGreaterThan(100)
    expect(first).toBeLessThan(100.1)
    expect(rest.map((time) => Math.round((time - first) * 1e6))).toEqual([16_000, 50_000])
  })

  it("come once, also for packets that were repeated or overtaken", () => {
    const said = link().hears([answer(), ...[0, 16, 16, 48, 32, 64].map((lapTime) => car(1, lapTime))])
    expect(column(said, "timestamp")).toHaveLength(4)
    expect(late(said)).toBe(2)
  })

  it("do not come in a pause", () => {
    const paused = Array.from({ length: 600 }, () => car(1, 5016))
    const said = link().hears([answer(), car(1, 5000), car(1, 5016), ...paused, car(1, 5033), car(1, 5050)])
    expect(story(said)).toEqual(["SessionStarted", 4])
    expect(late(said)).toBe(1)
    const times = column(said, "timestamp")
    expect(times.at(-1)! - times[0]!).toBeCloseTo(0.05, 9)
  })
})

const unanswered = () => opened(new AssettoCorsaInterpreter(linkOptions()))
/** A link that was answered, so that it reads car infos. */
const fresh = () => {
  const { conversation, hears } = link()
  hears([answer()])
  return conversation
}

it("never throws, and gives only finite points", () => {
  const seeds = [
    ...(haveGolden ? goldenVectors("assetto-corsa.json").map(bytesOf) : []),
    answer(),
    ...drive(0, 0, 2000),
    ...drive(1, 0, 1000, { lastLap: 2000 }),
    encodeSpot(names.driverName, names.carName, { carIdentifierNumber: 0, lap: 1, time: 2000 })
  ].filter((bytes) => bytes.length > 0)
  expect(() => fuzz(fresh, seeds, 15_000)).not.toThrow()
  expect(() => fuzz(unanswered, seeds, 5000)).not.toThrow()
})
