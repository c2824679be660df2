/** Project CARS 2: each channel has the values that the emulated car drove. */
import { describe, expect, it } from "vitest"
import { ProjectCars2Emulator } from "../../../simulator/emulators/project-cars-2/emulator.ts"
import { telemetryOf } from "../../../src/simulators/drivers/project-cars-2/layout.ts"
import { protocol } from "../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { emulate, scene } from "./emulating.ts"
import { linkOptions } from "./interpreting.ts"
import { playing } from "./projectCars2Packets.ts"
import { eventsOf } from "./recorded.ts"
import { wrongSigns, wrongChannels, declaredChannels } from "./declaredChannels.ts"

const play = (build: 538 | 556 | 559 = 559) =>
  emulate({
    emulator: new ProjectCars2Emulator(scene, { build }),
    interpreter: () => protocol.interpreter(linkOptions())
  })

/** The tolerance of each channel, in its unit: the packets have whole numbers, and may be a frame late. */
const within = {
  g_lateral: 0.01,
  g_longitudinal: 0.01,
  g_vertical: 0.01,
  yaw_rate: 0.01,
  yaw: 0.01,
  velocity_x: 0.001,
  velocity_y: 0.001,
  velocity_z: 0.001,
  velocity_forward: 0.001,
  velocity_up: 0.001,
  engine_torque: 0.01,
  engine_power: 0.01,
  water_temperature: 0.51,
  oil_temperature: 0.51,
  oil_pressure: 0.51,
  fuel: 0.001,
  tyre_temperature_fl: 0.7,
  tyre_temperature_rr: 0.7,
  tyre_surface_temperature_fr: 0.51,
  tyre_pressure_fl: 0.51,
  tyre_wear_fr: 0.003,
  wheel_rotation_fl: 0.001,
  wheel_rotation_rr: 0.001,
  brake_temperature_fl: 0.51,
  brake_temperature_rr: 0.51,
  air_temperature: 0.7,
  track_temperature: 0.7,
  rain: 0.01,
  laps_completed: 1
}
const senses = [
  "g_lateral",
  "g_longitudinal",
  "yaw_rate",
  "yaw",
  "velocity_forward",
  "wheel_rotation_fl",
  "wheel_rotation_rr"
]

describe("channels of Project CARS 2", () => {
  const played = play()

  it("are what the car did", () => {
    expect(wrongChannels(played, within, senses)).toEqual([])
  })

  it("have the signs of the path", () => {
    expect(wrongSigns(played)).toEqual([])
  })

  it("are all in groups of the vocabulary, or in its own", () => {
    const reported = declaredChannels(played.events)
    const vocabulary =
      "motion controls engine fuel tyres tyre_state wheels brakes suspension lap timing weather damage car"
    expect([...new Set([...reported.values()].map(({ group }) => group))].sort()).toEqual(
      [...vocabulary.split(" "), "pc2_motion", "pc2_suspension"].sort()
    )
    // Channels without any value: none that the emulator tells may be among them.
    const never = [...reported].flatMap(([name, { values }]) => (values.every(Number.isNaN) ? [name] : []))
    expect(never.sort()).toEqual(["gap_ahead", "gap_behind", "session_laps", "session_time_left"])
  })

  it("tell the lap, and what the game counts", () => {
    const reported = declaredChannels(played.events)
    const last = (name: string) => reported.get(name)!.values.at(-1)
    expect(new Set(reported.get("sector")!.values)).toEqual(new Set([1, 2, 3]))
    expect([last("race_position"), last("in_pit"), last("gears"), last("fuel_capacity")]).toEqual([
      18,
      0,
      scene.vehicle.ratios.length,
      100
    ])
    const [one, two, three] = played.driven[0]!.map(({ lapTime }) => lapTime)
    expect(last("last_lap_time")).toBeCloseTo(three!, 3)
    expect(last("best_lap_time")).toBeCloseTo(Math.min(one!, two!, three!), 3)
    // A sector is reported once it has ended; the last lap has just begun.
    const driven = played.driven[0]!.map(({ sectors }) => sectors)
    for (const n of [0, 1]) {
      const seen = new Set(
        reported.get(`sector${n + 1}_time`)!.values.filter((value) => !Number.isNaN(value))
      )
      expect([...seen].map((value) => value.toFixed(3))).toEqual(driven.map((one) => one[n]!.toFixed(3)))
    }
    const fractions = reported.get("lap_fraction")!.values
    expect(Math.max(...fractions)).toBeLessThanOrEqual(1)
    expect(Math.max(...fractions)).toBeGreaterThan(0.99)
  })

  it.each([538, 556] as const)("are those of the first builds, too: %i bytes", (build) => {
    expect(wrongChannels(play(build), { velocity_x: 2, fuel: 0.01, tyre_temperature_fl: 1 })).toEqual([])
  })

  /**
   * The vendor calls the field at 160 revolutions per second. It is radians per second, less than 0 forward, by those who saw it:
   * chris-r-uol/ams2-telemetry (docs/protocol.md, of its recordings of Automobilista 2), Spacefreak18/simapi (which divides the
   * speed by it for a wheel's radius, and turns its sign), CrewChiefV4 (which compares it with 2 pi times speed by circumference).
   */
  it("have wheels that turn as fast as they roll", () => {
    const game = playing()
    for (let n = 0; n < 100; n++) {
      game.hear(game.timings())
      const bytes = game.telemetry()
      bytes.writeFloatLE(50, 36)
      for (const at of [160, 164, 168, 172]) bytes.writeFloatLE(-50 / 0.33, at)
      game.hear(bytes)
      game.pass(0.1)
    }
    expect(declaredChannels(game.events).get("wheel_rotation_rr")!.values.at(-1)).toBeCloseTo(50 / 0.33, 3)
  })

  /**
   * A packet of the game (goern/pcars2, src/pcars2/test/telemetry_event.json; build 21015): at 7.77 m/s the wheels have -22.32 and -21.65,
   * so in rad/s, of tyres of 0.35 m; the engine has 2470 rpm and 258.35, the air of tyres 141 at 328 K with the carcass at 332 K, and forward is -z.
   */
  it("have the units of a packet of the game", () => {
    const game = playing()
    for (let n = 0; n < 100; n++) {
      game.hear(game.timings())
      const bytes = game.telemetry()
      telemetryOf(bytes).write(bytes, 0, {
        speed: 7.770268,
        localVelocityZ: -7.780512,
        tyreRPSFL: -22.320015,
        tyreRPSRL: -21.646965,
        airPressureFL: 141,
        tyreInternalAirTempFL: 328,
        tyreCarcassTempFL: 332,
        engineTorque: -5.933373,
        engineSpeed: 258.354919
      })
      game.hear(bytes)
      game.pass(0.1)
    }
    const reported = declaredChannels(game.events)
    const last = (name: string) => reported.get(name)!.values.at(-1)!
    for (const wheel of ["fl", "rl"]) expect(7.770268 / last(`wheel_rotation_${wheel}`)).toBeCloseTo(0.353, 1)
    expect(last("velocity_forward")).toBeCloseTo(7.78, 2)
    expect(last("engine_power")).toBeCloseTo(-5.933 * ((2467 * Math.PI) / 30 / 1000), 2)
    expect(last("tyre_pressure_fl")).toBe(141)
    expect([last("tyre_air_temperature_fl"), last("tyre_temperature_fl")]).toEqual([
      expect.closeTo(54.85, 2),
      expect.closeTo(58.85, 2)
    ])
  })

  /** Leaving the garage reads 4, 5, 3, 0 in Automobilista 2 (chris-r-uol/ams2-telemetry, docs/protocol.md). */
  it("name each step of the way out of the garage", () => {
    const game = playing()
    for (const pitMode of [4, 5, 3, 0]) game.drive(1, { pitMode })
    const reported = eventsOf(game.events, "ChannelsDeclared").flatMap(({ groups }) => groups)
    const { labels } = reported.flatMap(({ channels }) => channels).find(({ name }) => name === "pit_status")!
    const { values } = declaredChannels(game.events).get("pit_status")!
    expect([...new Set(values)].map((value) => labels?.[`${value}`])).toEqual([
      "garage",
      "driving out of the garage",
      "driving out",
      "none"
    ])
    expect(new Set(declaredChannels(game.events).get("in_pit")!.values)).toEqual(new Set([1, 0]))
  })

  it("leave out values that the game marks as unknown, and values whose sign is unknown", () => {
    const game = playing()
    game.stats(-1, -1)
    game.drive(2)
    const reported = declaredChannels(game.events)
    const values = (name: string) => new Set(reported.get(name)!.values)
    for (const name of ["g_lateral", "velocity_forward", "yaw", "last_lap_time", "race_position"]) {
      expect([name, values(name)]).toEqual([name, new Set([Number.NaN])])
    }
    expect(values("lap_fraction")).toEqual(new Set([0]))
    expect(values("tyre_temperature_fl")).toEqual(new Set([Number.NaN]))
  })

  it("keep rare values from before a session in all later ones", () => {
    const game = playing()
    game.drive(2)
    game.drive(1, { lap: 1, time: 0 })
    game.state(5)
    game.drive(2, { time: 0 })
    const starts = eventsOf(game.events, "SessionStarted")
    expect(starts).toHaveLength(2)
    const second = game.events.slice(game.events.lastIndexOf(starts[1]!))
    expect(declaredChannels(second).get("lap_fraction")!.values[0]).toBe(0)
  })
})
