/** Project CARS 2: single cases of points and sessions. */
import { describe, expect, it } from "vitest"
import { Game, playing } from "./packets.ts"
import { column, discarded, eventsOf, recorded, story } from "../suite/events.ts"

const starts = (game: Game) => eventsOf(game.events, "SessionStarted")

/** The number of sessions of a drive with `how` after 20 s of its second lap. */
const restart = (how: (game: Game) => void) => {
  const game = playing({ lap: 2 })
  game.drive(20)
  how(game)
  game.drive(1)
  return starts(game).length
}

const again = (game: Game, more = {}) => (game.moment = { ...game.moment, time: 0, sectorTime: 0, ...more })

/** The number of sessions of a drive under these session states, one after the other. */
const kinds = (...list: ReadonlyArray<number>) => {
  const game = playing()
  for (const kind of list) {
    game.state(2, kind)
    game.drive(1)
  }
  return starts(game).length
}

describe("points", () => {
  it("have reverse and neutral", () => {
    const game = playing()
    for (const gear of [15, 0, 1, 7]) game.drive(0.1, { gear })
    expect(column(game.events, "gear")).toEqual([-1, 0, 1, 7])
  })

  it("wait for the names, which may come in any order", () => {
    const game = new Game()
    game.drive(1)
    game.cars("Car one", "Car two")
    game.drivers("A", "B", "Robin Vale")
    game.drive(1, { vehicle: 1 })
    expect(story(game.events)).toEqual([])
    game.circuit("Monza", "GP")
    game.state(2)
    game.drive(1)
    expect(story(game.events)).toEqual(["SessionStarted", 30])
    expect(starts(game)).toMatchObject([
      { circuit: "Monza GP", vehicle: "Car two", driver: "Robin Vale", circuitLength: 5000 }
    ])
  })

  it("wait no longer than ten seconds for names", () => {
    const game = new Game()
    game.circuit("Monza")
    game.drive(9.5)
    expect(story(game.events)).toEqual([])
    game.drive(1)
    expect(story(game.events)).toEqual(["SessionStarted", 105])
    expect(starts(game)).toMatchObject([{ circuit: "Monza", vehicle: "", driver: "" }])
  })

  /** Automobilista 2 sends the car index 0xffff for the player, and names the others' cars (chris-r-uol/ams2-telemetry, of its recordings). */
  it("do not wait for the name of a car that the game does not report", () => {
    const game = playing({ vehicle: 0x7fff })
    game.drive(1)
    expect(story(game.events)).toEqual(["SessionStarted", 10])
    expect(starts(game)).toMatchObject([{ circuit: "Monza GP", vehicle: "", driver: "Robin Vale" }])
  })

  it("have the known names if the session ends before the others come", () => {
    const game = new Game()
    game.circuit("Monza")
    game.drive(2)
    game.state(1)
    expect(story(game.events)).toEqual(["SessionStarted", 20, "SessionEnded"])
    expect(starts(game)).toMatchObject([{ circuit: "Monza", vehicle: "", driver: "", circuitLength: 5000 }])
  })

  it("are only those of the player's own car", () => {
    const game = playing()
    game.drive(1)
    game.drive(1, { viewed: 1 })
    game.drive(1, { viewed: 2 })
    expect(story(game.events)).toEqual(["SessionStarted", 20])
  })

  it("are of the first viewed car if no packet reports the player", () => {
    const game = playing({ local: 0xffff })
    game.drive(1)
    game.drive(1, { viewed: 1 })
    game.drive(1, { viewed: 2 })
    // Before the first telemetry the viewed car is unknown.
    expect(story(game.events)).toEqual(["SessionStarted", 19])
  })

  it("do not come without participants", () => {
    const game = playing({ participants: -1 })
    game.drive(1)
    expect(story(game.events)).toEqual([])
  })

  it("are not given late or twice, and telemetry's own number counts lost ones", () => {
    const game = playing()
    game.drive(1)
    const [one, two] = [game.telemetry(), game.telemetry()]
    game.pass(0.1)
    game.telemetry()
    game.drive(1)
    for (const bytes of [one, two]) game.deliver(bytes)
    expect(discarded(game.events)).toBe(2)
    const { batch, missing } = recorded(game.events)[0]!
    expect([batch.length, missing]).toEqual([20, 3])
  })

  it("do not count as lost while another car is viewed, or the game is paused or restarts", () => {
    const game = playing()
    game.drive(1)
    for (let n = 0; n < 20; n++) game.telemetry()
    game.state(3)
    game.state(2)
    game.drive(1)
    expect(recorded(game.events)[0]!.missing).toBe(0)
  })

  it("go on after a stray packet with a number far ahead, and when the game was started again", () => {
    const game = playing()
    game.drive(1)
    const stray = game.telemetry()
    stray.writeUInt32LE(4_000_000_000, 0)
    game.deliver(stray)
    game.drive(1)
    expect(story(game.events)).toEqual(["SessionStarted", 20])
    const restarted = playing()
    restarted.drive(30)
    const other = new Game()
    for (let n = 0; n < 5; n++) {
      restarted.deliver(other.timings())
      restarted.deliver(other.telemetry())
      other.pass(0.1)
      other.moment = { ...other.moment, tick: other.moment.tick + 100 }
    }
    expect(starts(restarted)).toHaveLength(2)
  })
})

describe("sessions", () => {
  it("go on under a menu that does not stop the time, not in a replay", () => {
    const game = playing()
    game.drive(1)
    game.state(4)
    game.drive(1)
    game.state(6)
    game.drive(1)
    game.state(2)
    game.drive(1, { time: 2, sectorTime: 2 })
    expect(story(game.events)).toEqual(["SessionStarted", 30])
  })

  it("end in the menus, and are forgotten there", () => {
    const game = playing()
    game.drive(1)
    for (let n = 0; n < 3; n++) game.state(1)
    game.drive(1)
    expect(story(game.events)).toEqual(["SessionStarted", 10, "SessionEnded"])
    game.state(2)
    game.circuit("Spa")
    game.drivers("A", "B", "Robin Vale")
    game.cars("Car three")
    game.drive(1, { time: 0, lap: 1 })
    expect(starts(game).map(({ circuit, vehicle }) => [circuit, vehicle])).toEqual([
      ["Monza GP", "Car one"],
      ["Spa", "Car three"]
    ])
  })

  it("are new ones after a restart, whether the game reports it or the packets show it", () => {
    expect(
      restart((game) => {
        game.state(5)
        game.state(2)
        again(game, { lap: 1 })
      })
    ).toBe(2)
    expect(restart((game) => again(game, { lap: 1 }))).toBe(2)
    expect(restart((game) => again(game, { raceState: 1 }))).toBe(2)
    // In a race no lap is begun again but with the race.
    expect(restart((game) => again(game))).toBe(2)
    expect(restart(() => undefined)).toBe(1)
  })

  it("do not begin twice if packets from before a restart come after it", () => {
    const game = playing({ lap: 2 })
    game.drive(20)
    const late = [game.timings(), game.telemetry()]
    game.state(5)
    game.state(2)
    for (const bytes of late) game.deliver(bytes)
    game.drive(1, { lap: 1, time: 0, sectorTime: 0 })
    expect(story(game.events)).toEqual(["SessionStarted", 200, "SessionStarted", 10])
  })

  it("go on if a lap of practice starts again", () => {
    const game = new Game()
    game.state(2, 1)
    game.names()
    game.drive(20)
    game.drive(1, { time: 0, sectorTime: 0 })
    expect(starts(game)).toHaveLength(1)
  })

  it("are new ones from practice to race, and go on from the formation lap", () => {
    expect(kinds(5, 5, 0, 7, 5)).toBe(1)
    expect(kinds(1, 3, 5)).toBe(3)
    expect(kinds(4, 5)).toBe(1)
    expect(kinds(3, 4, 5)).toBe(2)
  })

  it.each([
    ["lap", { lap: 1, time: 0 }],
    ["clock", { time: 0, sectorTime: 0 }],
    ["state, as before a start", { raceState: 1 }],
    ["car", { vehicle: 1 }]
  ])("go on through one packet of timings that reports another %s", (_, more) => {
    const game = playing({ lap: 2 })
    game.drive(20)
    const now = game.moment
    game.moment = { ...now, ...more }
    game.deliver(game.timings())
    game.moment = now
    // Timings come more rarely than telemetry.
    for (let n = 0; n < 3; n++) {
      game.deliver(game.telemetry())
      game.pass(0.1)
    }
    game.drive(1, { time: now.time + 0.3 })
    expect(story(game.events)).toEqual(["SessionStarted", 213])
  })

  it("are not begun by one state of another kind", () => {
    const game = playing()
    game.drive(1)
    game.state(2, 1)
    game.state(2, 5)
    game.drive(1)
    expect(story(game.events)).toEqual(["SessionStarted", 20])
  })

  it("are in no lap on the formation lap and on the grid, and the race's laps begin with its clock", () => {
    const game = playing({ raceState: 1 })
    game.state(2, 4)
    game.drive(5)
    game.state(2, 5)
    for (let n = 0; n < 20; n++) game.drive(0.1, { time: -1, sectorTime: -1 })
    game.drive(5, { raceState: 2, time: 0, sectorTime: 0 })
    expect(starts(game)).toHaveLength(1)
    const numbers = recorded(game.events)[0]!.lapNumber
    expect(new Set(numbers.slice(0, 70))).toEqual(new Set([Number.NaN]))
    expect(new Set(numbers.slice(-48))).toEqual(new Set([1]))
  })

  it("are new ones in another car", () => {
    const game = playing()
    game.drive(1)
    game.drive(1, { vehicle: 1 })
    expect(starts(game).map(({ vehicle }) => vehicle)).toEqual(["Car one", "Car two"])
  })
})
