import { describe, expect, it } from "vitest"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import * as packets from "../../../../simulator/emulators/lfs/packets.ts"
import { heard } from "../../../../src/simulators/drivers/lfs/insim.ts"
import { IN_GAME, LfsWorld, OURS } from "./world.ts"
import { column, discarded, eventsOf, story } from "../suite/events.ts"
import { lapNumbersOf } from "../../lapColumns.ts"

const OTHER = 9
const begun = () => new LfsWorld().begun()
const lapsOf = ({ events }: LfsWorld) => eventsOf(events, "LapCompleted")
const lapNumbers = ({ events }: LfsWorld) => eventsOf(events, "Points").flatMap(lapNumbersOf)
const split = (number: number, time: number, plid = OURS) => packets.split(plid, time, 500, number)
const lap = (done: number, time: number, plid = OURS) => packets.lap(plid, time, 500, done)

const pit = (fact: number, plid = OURS) => packets.pitLane(plid, fact)

describe("laps", () => {
  it("have the simulator's times to the millisecond, and begin where the last one ended", () => {
    const world = begun().drive(0, 101).tcp(lap(1, 1)).drive(1.01, 100)
    world.tcp(split(1, 0.301), split(2, 0.802), lap(2, 1.003)).drive(2.01, 2)
    const [first, second] = lapsOf(world)
    expect(first).toMatchObject({ lapNumber: 1, lapTime: 1, start: 0, end: 1, valid: true })
    expect(second).toMatchObject({
      lapNumber: 2,
      lapTime: 1.003,
      sectors: [0.301, 0.501, 0.201],
      valid: true
    })
    expect(second!.end).toBe(2)
    expect(second!.start).toBe(1)
    expect(lapNumbers(world).slice(-102)).toEqual([...Array.from({ length: 100 }, () => 2), 3, 3])
  })

  it.each([
    [0, 0, [], [null, null, null]],
    [0, 1, [1], [0.3, 0.7, null]],
    [0, 2, [1, 2], [0.3, 0.3, 0.4]],
    [0, 3, [1, 2, 3], [0.3, 0.3, 0.4]],
    ["unknown", 0, [], [null, null, null]],
    ["unknown", 1, [1], [0.3, 0.7, null]],
    ["unknown", 3, [1, 2, 3], [0.3, 0.3, 0.4]],
    // Seen from its second split on.
    [0, 2, [2], [null, null, 0.4]],
    ["unknown", 2, [2], [null, null, 0.4]],
    [0, 2, [1], [0.3, null, null]]
  ] as const)(
    "if the race reports splits (%s: %i) and these were passed: %j",
    (reported, splits, passed, sectors) => {
      const world = begun()
      if (reported === 0) world.tcp(packets.raceStart(1, 1, "BL1", splits))
      world.drive(0, 101)
      for (const number of passed) world.tcp(split(number, number * 0.3))
      world.tcp(lap(1, 1))
      expect(lapsOf(world)[0]!.sectors).toEqual(sectors)
    }
  )

  it("have no time if LFS reports none, and do not count; a split has none either", () => {
    const world = begun().drive(0, 100).tcp(split(1, 3600), split(2, 0.6), lap(1, 3600))
    expect(lapsOf(world)[0]).toMatchObject({ lapTime: null, sectors: [null, null, null], valid: false })
    expect(lapsOf(world)[0]!.start).toBeUndefined()
  })

  it.each([9, 10])("that our player spoilt do not count, and all others do: InSim %i", (inSim) => {
    const world = begun()
      .drive(0, 101)
      .tcp(packets.hotLapInvalid(OTHER, 1, 3, inSim), lap(1, 1))
    world.drive(1.01, 100).tcp(packets.hotLapInvalid(OURS, 1, 3, inSim), lap(2, 1))
    world.drive(2.01, 100).tcp(lap(3, 1))
    expect(lapsOf(world).map(({ valid }) => valid)).toEqual([true, false, true])
  })

  it("do not count if our player drove into the pit lane, over the line in it, or out of it", () => {
    const world = begun().drive(0, 101).tcp(pit(1, OTHER), lap(1, 1))
    world.drive(1.01, 100).tcp(pit(1), lap(2, 1)).drive(2.01, 100).tcp(lap(3, 1))
    world.drive(3.01, 50).tcp(pit(0)).drive(3.51, 50).tcp(lap(4, 1)).drive(4.01, 100).tcp(lap(5, 1))
    // To drive through, and nothing else.
    world.drive(5.01, 50).tcp(pit(3), pit(0)).drive(5.51, 50).tcp(lap(6, 1))
    expect(lapsOf(world).map(({ valid }) => valid)).toEqual([true, false, false, false, true, false])
  })

  it("out of the garage do not count", () => {
    const world = begun().car(1).drive(0, 50).tcp(packets.pits(OURS)).player().car(1)
    world.drive(10, 101).tcp(lap(1, 1)).drive(11.02, 100).tcp(lap(2, 1))
    expect(lapsOf(world).map(({ valid }) => valid)).toEqual([false, true])
  })

  it("of another run in practice or qualifying count on", () => {
    for (const race of [0, 2]) {
      const world = begun().state(IN_GAME, "BL1", OURS, race).car(1).drive(0, 101).tcp(lap(1, 1))
      world
        .drive(1.01, 50)
        .tcp(packets.pits(OURS))
        .player()
        .drive(20, 5)
        .car(1)
        .drive(20.05, 100)
        .tcp(lap(1, 2))
      world.drive(21.06, 100).tcp(lap(2, 1)).drive(22.07, 2)
      expect(story(world.events).filter((one) => one === "SessionStarted")).toHaveLength(1)
      expect(lapsOf(world).map(({ lapNumber, lapTime, valid }) => [lapNumber, lapTime, valid])).toEqual([
        [1, 1, true],
        [2, 2, false],
        [3, 1, true]
      ])
      // Out of the garage it is in no lap until the lap's number is reported.
      expect(lapNumbers(world).slice(151, 156)).toEqual([ABSENT, ABSENT, ABSENT, ABSENT, ABSENT])
      expect(lapNumbers(world).at(-1)).toBe(4)
    }
  })

  it("are reported at once, also two of equal time", () => {
    const world = begun().drive(0, 101).tcp(lap(1, 1)).drive(1.01, 100).tcp(lap(2, 1))
    expect(story(world.events)).toEqual(["SessionStarted", 101, "LapCompleted", 100, "LapCompleted"])
    expect(lapsOf(world).map(({ lapTime }) => lapTime)).toEqual([1, 1])
  })

  it("end with the race: the way after it is in none", () => {
    const world = begun().drive(0, 101).tcp(lap(1, 1)).drive(1.01, 100)
    world
      .tcp(lap(2, 1), packets.finish(OURS, 2, 1, 2))
      .drive(2.02, 150)
      .tcp(lap(3, 1.5))
      .drive(3.6, 2)
    expect(lapsOf(world).map(({ lapNumber }) => lapNumber)).toEqual([1, 2])
    expect(new Set(lapNumbers(world).slice(-152))).toEqual(new Set([ABSENT]))
  })

  it("are those of their drivers, whatever name the driver takes", () => {
    const world = begun()
      .tcp(heard.NCN.encode({ UCID: 3, PName: "Ben" }))
      .drive(0, 101)
      .tcp(lap(1, 1))
    world.drive(1.01, 50).tcp(heard.TOC.encode({ PLID: OURS, OldUCID: 0, NewUCID: 3 }))
    world
      .drive(1.51, 50)
      .tcp(lap(2, 1))
      .drive(2.01, 50)
      .tcp(heard.CPR.encode({ UCID: 3, PName: "Bob" }))
    world.drive(2.51, 50).tcp(lap(3, 1))
    expect(lapsOf(world).map(({ driver }) => driver)).toEqual([undefined, "Ben", "Bob"])
    expect(story(world.events)).not.toContain("SessionNamed")
    const own = begun()
      .drive(0, 50)
      .tcp(heard.CPR.encode({ UCID: 0, PName: "Anna" }))
    own.drive(0.5, 51).tcp(lap(1, 1))
    expect(eventsOf(own.events, "SessionNamed").map(({ names }) => names)).toEqual([{ driver: "Anna" }])
    expect(lapsOf(own).map(({ driver }) => driver)).toEqual([undefined])
    // A computer's car belongs to the connection of the machine that drives it.
    const computer = new LfsWorld()
      .tcp(packets.version(1))
      .state(IN_GAME)
      .player(OURS, { kind: 2, name: "AI 1" })
    computer.drive(0, 50).tcp(heard.CPR.encode({ UCID: 0, PName: "Anna" }))
    computer.drive(0.5, 51).tcp(lap(1, 1))
    expect(eventsOf(computer.events, "SessionStarted").map(({ driver }) => driver)).toEqual(["AI 1"])
    expect(story(computer.events)).not.toContain("SessionNamed")
  })

  it("that were joined midway are not known to count", () => {
    const world = begun().car(5).drive(60, 100).tcp(lap(5, 30))
    expect(lapsOf(world)[0]).toMatchObject({ lapNumber: 5, lapTime: 30, valid: undefined })
    expect(new Set(lapNumbers(world))).toEqual(new Set([5]))
  })

  it("of other players, and their splits, are not recorded", () => {
    const world = begun()
      .drive(0, 101)
      .tcp(split(1, 0.2, OTHER), lap(1, 0.9, OTHER), split(1, 0.3), lap(1, 1))
    expect(lapsOf(world)).toHaveLength(1)
    expect(lapsOf(world)[0]!.sectors).toEqual([0.3, 0.7, null])
  })

  it("with a pause in them began where the last one ended", () => {
    const world = begun().drive(0, 101).tcp(lap(1, 1)).drive(1.01, 50).drive(21.51, 50).tcp(lap(2, 1))
    expect(lapsOf(world)[1]).toMatchObject({ start: 1, lapTime: 1 })
  })

  it("that are counted from the start again belong to another session", () => {
    const world = begun().car(9).drive(0, 100).tcp(lap(9, 1), lap(1, 1)).drive(1, 3)
    expect(story(world.events)).toEqual(["SessionStarted", 100, "LapCompleted", "SessionStarted", 3])
    expect(lapNumbers(world).slice(-3)).toEqual([2, 2, 2])
  })

  it("end at the newest point if the points had stopped", () => {
    const world = begun().drive(0, 101).wait(30).tcp(lap(1, 1))
    expect(lapsOf(world)[0]!.end).toBeCloseTo(1.5, 9)
  })
})

describe("a point", () => {
  it("is in our units", () => {
    const world = begun().sim(0, { x: -12.5, y: 250, z: 3 })
    world.gauge(0, OURS, { speed: 90, rpm: 5000, gear: -1, throttle: 0.25, brake: 1 })
    world.sim(0.01).gauge(0.01, OURS, { gear: 0 }).sim(0.02).gauge(0.02, OURS, { gear: 4, throttle: 1.25 })
    const first = (name: Parameters<typeof column>[1]) => column(world.events, name)[0]
    expect(first("speed")).toBeCloseTo(90, 4)
    expect(first("rpm")).toBe(5000)
    expect(column(world.events, "gear")).toEqual([-1, 0, 4])
    expect(column(world.events, "throttle")).toEqual([0.25, 1, 1])
    expect(first("brake")).toBe(1)
    expect(first("steering")).toBe(ABSENT)
    expect([first("position_x"), first("position_y"), first("position_z")]).toEqual([-12.5, 250, 3])
  })

  it("comes once, and in order", () => {
    const world = begun().drive(0, 5).gauge(0.04).gauge(0.02).gauge(0.05)
    expect(discarded(world.events, "late")).toBe(2)
    expect(column(world.events, "timestamp")).toEqual([0, 0.01, 0.02, 0.03, 0.04, 0.05])
  })

  it("has OutSim's position, extrapolated to its moment", () => {
    // 180 km/h along the x axis: 0.5 m in 10 ms.
    const world = begun().sim(1, { x: 100 }).gauge(1).gauge(1.01).gauge(1.2).gauge(0.99).gauge(1.3)
    const xs = column(world.events, "position_x")
    expect(xs.map((x) => Math.round(x * 1e4) / 1e4)).toEqual([100, 100.5, 110])
  })

  it("has the position of the newest OutSim packet, not of a late one", () => {
    const world = begun().sim(1, { x: 100 }).sim(0.99, { x: 99.5 }).sim(1, { x: 7 }).gauge(1).end()
    expect(column(world.events, "position_x")).toEqual([100])
  })

  it("has MCI's position without OutSim, each position for one point", () => {
    const world = begun().gauge(0).car(1, { x: 10 }).gauge(0.01).gauge(0.02).car(1, { x: 11 }).gauge(0.03)
    expect(column(world.events, "position_x")).toEqual([10, 11])
    expect(column(world.events, "timestamp")).toEqual([0.01, 0.03])
    expect(lapNumbers(world)).toEqual([1, 1])
  })

  it("has MCI's position again once OutSim stops", () => {
    const world = begun().sim(0, { x: 5 }).car(1, { x: 1 }).gauge(0).gauge(3).car(1, { x: 150 }).gauge(3.01)
    expect(column(world.events, "position_x")).toEqual([5, 150])
  })

  it("may have its position from MCI over TCP, too", () => {
    const cars = packets.cars([{ plid: OURS, lap: 2, x: 8, y: 0, z: 0, speed: 0, heading: 0 }])
    const world = begun().tcp(cars).gauge(0).end()
    expect(column(world.events, "position_x")).toEqual([8])
  })
})
