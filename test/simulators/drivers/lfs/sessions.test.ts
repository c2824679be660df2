import { describe, expect, it } from "vitest"
import * as packets from "../../../../simulator/emulators/lfs/packets.ts"
import { Tiny } from "../../../../src/simulators/drivers/lfs/insim.ts"
import { FRONT_END, IN_GAME, LfsWorld, OURS, REPLAY } from "./world.ts"
import { column, discarded, eventsOf, story } from "../suite/events.ts"
import { lapNumbersOf } from "../../lapColumns.ts"

const begun = () => new LfsWorld().begun()
const namesOf = ({ events }: LfsWorld) =>
  eventsOf(events, "SessionStarted").map(({ circuit, driver, vehicle }) => [circuit, vehicle, driver])

describe("a session", () => {
  it("starts with the first point, under the names that were reported", () => {
    const world = begun()
    expect(world.events).toEqual([])
    world.drive(0, 3)
    expect(story(world.events)).toEqual(["SessionStarted", 3])
    expect(namesOf(world)).toEqual([["Blackwood GP", "XF GTI", "Ana"]])
  })

  it.each([
    ["the menu", FRONT_END],
    ["the menu, with a race behind it", IN_GAME | FRONT_END],
    ["a replay", IN_GAME | REPLAY]
  ])("has no points in %s, and ends there", (_, flags) => {
    const world = begun().drive(0, 3).state(flags).drive(1, 3)
    expect(story(world.events)).toEqual(["SessionStarted", 3, "SessionEnded"])
    world.state(IN_GAME).drive(2, 3)
    expect(story(world.events).slice(3)).toEqual(["SessionStarted", 3])
  })

  it("is another one on another track, in another race, in another car, and not with another driver", () => {
    const world = begun().drive(0, 3)
    world.state(IN_GAME, "AS1").drive(1, 3)
    world.tcp(packets.raceStart(0, 1, "AS1", 2)).drive(0, 3)
    world.player(OURS, { car: "FZ5" }).drive(1, 3)
    world.player(OURS, { car: "FZ5", name: "Ben" }).drive(2, 3)
    expect(story(world.events)).toEqual([
      "SessionStarted",
      3,
      "SessionStarted",
      3,
      "SessionEnded",
      "SessionStarted",
      3,
      "SessionStarted",
      6
    ])
    expect(namesOf(world)).toEqual([
      ["Blackwood GP", "XF GTI", "Ana"],
      ["Aston Cadet", "XF GTI", "Ana"],
      ["Aston Cadet", "XF GTI", "Ana"],
      ["Aston Cadet", "FZ50", "Ana"]
    ])
    const times = column(world.events, "timestamp")
    expect(times.every((time, n) => n === 0 || time > times[n - 1]!)).toBe(true)
  })

  it("goes on if LFS reports the state or the race again, as on request", () => {
    const world = begun()
      .drive(0, 3)
      .tcp(packets.raceStart(1, 1, "BL1", 2))
    world.state(IN_GAME).player().drive(1, 3)
    expect(story(world.events)).toEqual(["SessionStarted", 6])
  })

  it.each([
    ["our player leaves", packets.leave(OURS)],
    ["everybody does", packets.tiny(Tiny.clear)]
  ])("ends when %s, once", (_, bytes) => {
    const world = begun().drive(0, 3).tcp(bytes, bytes).drive(1, 3)
    expect(story(world.events)).toEqual(["SessionStarted", 3, "SessionEnded"])
    world.player().drive(2, 3)
    expect(story(world.events).slice(3)).toEqual(["SessionStarted", 3])
  })

  it("waits for its names, for a while", () => {
    const world = new LfsWorld().tcp(packets.version(1)).state(IN_GAME).drive(0, 50)
    expect(world.events).toEqual([])
    world.player().drive(0.5, 1)
    expect(story(world.events)).toEqual(["SessionStarted", 51])
    expect(namesOf(world)).toEqual([["Blackwood GP", "XF GTI", "Ana"]])
  })

  it("starts after a while with those that were reported, and gets the others when they come", () => {
    const world = new LfsWorld().tcp(packets.version(1)).state(IN_GAME).drive(0, 1100)
    expect(story(world.events)).toEqual(["SessionStarted", 1100])
    expect(namesOf(world)).toEqual([["Blackwood GP", "", ""]])
    world.player().drive(11, 1)
    expect(story(world.events).slice(2)).toEqual(["SessionNamed", 1])
  })

  it("that ends before all its names came has the names that were reported", () => {
    const world = new LfsWorld().tcp(packets.version(1)).state(IN_GAME).drive(0, 5).state(FRONT_END)
    expect(story(world.events)).toEqual(["SessionStarted", 5, "SessionEnded"])
  })

  it("takes no packet from before a restart", () => {
    const world = begun()
      .drive(50, 10)
      .tcp(packets.raceStart(0, 1, "BL1", 2))
    world.car(9).drive(50.1, 3).car(1).drive(0, 3)
    expect(story(world.events)).toEqual(["SessionStarted", 10, "SessionEnded", "SessionStarted", 3])
    expect(discarded(world.events, "late")).toBe(3)
    expect(lapNumbersOf(eventsOf(world.events, "Points").at(-1)!)).not.toContain(9)
  })

  it("begins at once if the new race's clock came before the restart was reported, or if the old clock goes on", () => {
    const early = begun()
      .drive(50, 10)
      .drive(0, 1)
      .tcp(packets.raceStart(0, 1, "BL1", 2))
      .drive(0.01, 3)
    expect(story(early.events)).toEqual(["SessionStarted", 11, "SessionEnded", "SessionStarted", 3])
    const same = begun()
      .drive(50, 10)
      .tcp(packets.raceStart(0, 1, "BL1", 2))
      .drive(50.1, 40)
    const begins = story(same.events).at(-1)
    expect(begins).toBeGreaterThan(10)
  })
})

describe("our player", () => {
  it("is the human at this machine, whoever else drives or is viewed", () => {
    const world = new LfsWorld().tcp(packets.version(1)).state(IN_GAME, "BL1", 2)
    world.player(2, { kind: 2, name: "AI" }).player(4, { kind: 4, name: "Remote" }).player(OURS)
    world.drive(0, 3).gauge(0.5, 2).gauge(0.6, 4).gauge(0.7, 0)
    expect(story(world.events)).toEqual(["SessionStarted", 3])
    expect(namesOf(world)).toEqual([["Blackwood GP", "XF GTI", "Ana"]])
    world.tcp(packets.leave(2), packets.leave(4)).drive(1, 3)
    expect(story(world.events)).toEqual(["SessionStarted", 6])
  })

  it("is the viewed player if no human drives at this machine", () => {
    const world = new LfsWorld().tcp(packets.version(1)).state(IN_GAME, "BL1", 2)
    world.player(2, { kind: 2, name: "AI 2" }).player(3, { kind: 2, name: "AI 3" })
    world.sim(0).gauge(0, 2).gauge(0.01, 3).state(IN_GAME, "BL1", 3).sim(1).gauge(1, 2).gauge(1.01, 3).end()
    expect(story(world.events)).toEqual(["SessionStarted", 1, "SessionEnded", "SessionStarted", 1])
    expect(namesOf(world).map(([, , driver]) => driver)).toEqual(["AI 2", "AI 3"])
  })

  it("is not a player who only wants to join", () => {
    const world = new LfsWorld().tcp(packets.version(1)).state(IN_GAME, "BL1", 0)
    const entry = { plid: 9, connection: 0, kind: 0, name: "Eve", car: "XFG" }
    world
      .tcp(packets.player(0, 0, entry))
      .sim(0)
      .gauge(0, 9)
    expect(world.events).toEqual([])
  })

  it("has no points in the garage, and goes on after it if the laps do", () => {
    const world = begun().car(3).drive(0, 3).tcp(packets.pits(OURS)).drive(1, 3)
    world.player().car(3).drive(2, 3)
    expect(story(world.events)).toEqual(["SessionStarted", 6])
    world.tcp(packets.pits(OURS)).player().car(1).drive(3, 3)
    expect(story(world.events).slice(2)).toEqual(["SessionStarted", 3])
  })
})
