/** Assetto Corsa Competizione: how a link reads its messages. */
import { describe, expect, it } from "vitest"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import {
  encodeEntryList,
  encodeRegistrationResult,
  encodeTrack,
  type UpdateFields
} from "../../../../simulator/emulators/acc/encode.ts"
import { parseRequest } from "../../../../simulator/emulators/acc/requests.ts"
import { accepted, answers, CAR, car, CONNECTION, drive, entry, link, track, update } from "./link.ts"
import { column, discarded, eventsOf, falls, story } from "../suite/events.ts"
import { lapDistancesOf, lapNumbersOf } from "../../lapColumns.ts"

const requestsIn = (sent: ReadonlyArray<Uint8Array>) =>
  sent.map((bytes) => parseRequest(Buffer.from(bytes))?.kind ?? "unreadable")

describe("a link", () => {
  it("registers until it is answered, requests entries and track, and unregisters at the end", () => {
    const { conversation, receive, sent, tick, wait } = link({ appName: "Telemetrie Ü", rate: 60 })
    tick()
    wait(1)
    tick()
    expect(conversation.state()).toEqual({ _tag: "Waiting" })
    receive(answers)
    expect(conversation.state()).toEqual({ _tag: "Answered" })
    expect(conversation.simulator()).toBe("Assetto Corsa Competizione")
    conversation.sendDisconnect()
    expect(requestsIn(sent)).toEqual(["register", "register", "entryList", "trackData", "unregister"])
    expect(parseRequest(Buffer.from(sent[0]!))).toEqual({
      kind: "register",
      displayName: "Telemetrie Ü",
      connectionPassword: "",
      updateIntervalMs: 16,
      commandPassword: ""
    })
    expect(parseRequest(Buffer.from(sent[4]!))).toMatchObject({ connectionId: CONNECTION })
  })

  it("sends the password, and requests no shorter interval than 10 ms", () => {
    const { sent, tick } = link({ rate: 10_000, options: { password: "geheim" } })
    tick()
    expect(parseRequest(Buffer.from(sent[0]!))).toMatchObject({
      connectionPassword: "geheim",
      updateIntervalMs: 10
    })
  })

  it.each(["Wrong password", " "])(
    "that is refused with %j fails with our reason, and makes no more requests",
    (text) => {
      const { conversation, receive, sent, tick } = link()
      receive([encodeRegistrationResult(-1, text)])
      expect(conversation.state()).toEqual({
        _tag: "Refused",
        reason: "it rejected the registration (is the connection password right?)"
      })
      tick()
      conversation.sendDisconnect()
      expect(sent).toEqual([])
    }
  )

  it("does not take another connection's answers for its own", () => {
    const others = [encodeEntryList(5, []), encodeTrack(5, "Elsewhere", 1)]
    const events = link().receiveAll([...answers, ...others, update(20), car(0, 20)])
    expect(story(events)).toEqual(["Refused", "Refused", "SessionStarted", 1])
    expect(eventsOf(events, "SessionStarted")[0]!.circuit).toBe("Monza")
  })
})

describe("names", () => {
  it("are requested again, once a second, while the car or its crew is not known", () => {
    const { receive, sent, tick, wait } = link()
    receive([accepted, update(0), car(0, 20)])
    tick()
    expect(requestsIn(sent)).toEqual(["entryList", "trackData"])
    wait(1)
    receive([track])
    tick()
    tick()
    expect(requestsIn(sent).slice(2)).toEqual(["entryList"])
    wait(1)
    receive([entry(CAR)])
    tick()
    expect(sent).toHaveLength(3)
    receive([update(20), car(0, 40, { driverCount: 2 })])
    tick()
    expect(requestsIn(sent).slice(3)).toEqual(["entryList"])
  })

  it("hold back the points that belong to them", () => {
    const { receive } = link()
    expect(receive([accepted, ...drive(0, 0, 100, 0), entry(CAR)])).toEqual([])
    const events = receive([track])
    expect(story(events)).toEqual(["SessionStarted", 5])
    expect(events[0]).toMatchObject({
      circuit: "Monza",
      vehicle: "Ferrari 296 GT3",
      driver: "Ana Driver",
      circuitLength: 5000,
      clockZero: undefined
    })
  })

  it("do not hold back points for longer than ten seconds", () => {
    const { receive, wait } = link()
    receive([accepted, ...drive(0, 0, 100, 0), entry(CAR, 77)])
    wait(9.8)
    expect(receive([update(9900), car(0, 9900)])).toEqual([])
    wait(0.2)
    const events = receive([update(10_100), car(0, 10_100)])
    expect(story(events)).toEqual(["SessionStarted", 7])
    expect(events[0]).toMatchObject({ circuit: "", vehicle: "ACC model 77", circuitLength: undefined })
  })

  it("that never come do not hold a session back when the next one begins", () => {
    const { receive } = link()
    receive([accepted, ...drive(0, 0, 100, 0)])
    const events = receive(drive(0, 0, 100, 0, {}, { sessionIndex: 1 }))
    expect(story(events)).toEqual(["SessionStarted", 5])
  })
})

describe("points", () => {
  it("have our units, signs and axes, and are absent if nothing is reported", () => {
    const driven = car(3, 500, {
      gear: 0,
      kmh: 251,
      worldPosX: -100.5,
      worldPosY: 250.25,
      splinePosition: 0.25
    })
    const [points] = eventsOf(link().receiveAll([...answers, update(1000), driven]), "Points")
    const [, ...values] = points!.batch.data
    expect(values).toEqual([251, ABSENT, -1, ABSENT, ABSENT, ABSENT, -100.5, -250.25, ABSENT])
    expect([lapNumbersOf(points!)[0], lapDistancesOf(points!)[0]]).toEqual([4, 1250])
  })

  it("are of the car that was in focus first, whichever is shown later", () => {
    const elsewhere = drive(0, 60, 120, 0, {}, { focusedCarIndex: 1002 })
    const rival = car(0, 30, { carIndex: 1002, kmh: 99 })
    const events = link().receive([...answers, ...drive(0, 0, 60, 0), rival, ...elsewhere, rival])
    expect(column(events, "speed")).toEqual([150, 150, 150, 150, 150, 150])
    expect(eventsOf(events, "SessionStarted")).toHaveLength(1)
  })

  it("do not come from updates that were overtaken", () => {
    const messages = drive(0, 0, 100, 0)
    const swapped = [...messages]
    ;[swapped[2], swapped[4]] = [swapped[4]!, swapped[2]!]
    ;[swapped[3], swapped[5]] = [swapped[5]!, swapped[3]!]
    const events = link().receive([...answers, ...swapped])
    expect(column(events, "timestamp")).toHaveLength(4)
    expect(falls(column(events, "position_x"))).toBe(0)
    expect(discarded(events, "late")).toBe(1)
  })

  it("have the lap's clock if the session's update was lost", () => {
    const messages = drive(0, 0, 100, 0).filter((_, n) => n !== 4)
    const events = link().receive([...answers, ...messages, ...drive(0, 100, 200, 0)])
    const times = column(events, "timestamp")
    expect(times.map((time) => Math.round((time - times[0]!) * 1000))).toEqual(
      Array.from({ length: 10 }, (_, n) => 20 * n)
    )
    expect(discarded(events, "late")).toBe(0)
  })

  it("come once for a car's update that the next session update overtakes", () => {
    const [a, b, c, d] = drive(0, 0, 40, 0)
    const events = link().receive([...answers, a!, b!, c!, b!, d!])
    expect(column(events, "position_x")).toEqual([0, 20])
    expect(discarded(events, "late")).toBe(1)
  })

  it.each([
    ["a pause", {}],
    ["a replay", { replaySessionTime: 1000, replayRemainingTime: 2000 }],
    ["the time before the session", { phase: 0 }]
  ] satisfies ReadonlyArray<[string, Partial<UpdateFields>]>)("do not come from %s", (_, more) => {
    const idle = Array.from({ length: 700 }, () => [update(100, more), car(0, 100)]).flat()
    const events = link().receive([...answers, ...drive(0, 0, 120, 0), ...idle, ...drive(0, 120, 200, 0)])
    expect(story(events)).toEqual(["SessionStarted", 10])
    expect(discarded(events, "late")).toBe(0)
  })
})
