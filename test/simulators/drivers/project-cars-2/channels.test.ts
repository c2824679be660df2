/** Project CARS 2: units and signs by packets of the game, and single cases of channels. */
import { describe, expect, it } from "vitest"
import { telemetryOf } from "../../../../src/simulators/drivers/project-cars-2/layout.ts"
import { channelsIn } from "../suite/channels.ts"
import { eventsOf } from "../suite/events.ts"
import { playing } from "./packets.ts"

/** The last value of each channel after ten seconds in which `write` changes all telemetry. */
const lastOf = (write: (telemetry: Buffer) => void) => {
  const game = playing()
  for (let n = 0; n < 100; n++) {
    game.deliver(game.timings())
    const bytes = game.telemetry()
    write(bytes)
    game.deliver(bytes)
    game.pass(0.1)
  }
  const reported = channelsIn(game.events)
  return (name: string) => reported.get(name)!.values.at(-1)!
}

describe("channels of Project CARS 2", () => {
  /**
   * The vendor calls the field at 160 revolutions per second. These projects found radians per second, less than 0 forward:
   * chris-r-uol/ams2-telemetry (docs/protocol.md, of its recordings of Automobilista 2), Spacefreak18/simapi (which divides the
   * speed by it for a wheel's radius, and turns its sign), CrewChiefV4 (which compares it with 2 pi times speed by circumference).
   */
  it("have wheels that turn as fast as they roll", () => {
    const last = lastOf((bytes) => {
      bytes.writeFloatLE(50, 36)
      for (const at of [160, 164, 168, 172]) bytes.writeFloatLE(-50 / 0.33, at)
    })
    expect(last("wheel_rotation_rr")).toBeCloseTo(50 / 0.33, 3)
  })

  /**
   * A packet of the game (goern/pcars2, src/pcars2/test/telemetry_event.json; build 21015): at 7.77 m/s the wheels have -22.32 and -21.65,
   * so in rad/s, of tyres of 0.35 m; the engine has 2470 rpm and 258.35, the air of tyres 141 at 328 K with the carcass at 332 K, and forward is -z.
   */
  it("have the units of a packet of the game", () => {
    const last = lastOf((bytes) =>
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
    )
    for (const wheel of ["fl", "rl"]) expect(7.770268 / last(`wheel_rotation_${wheel}`)).toBeCloseTo(0.353, 1)
    expect(last("velocity_forward")).toBeCloseTo(7.78, 2)
    expect(last("engine_power")).toBeCloseTo(-5.933 * ((2467 * Math.PI) / 30 / 1000), 2)
    expect(last("tyre_pressure_fl")).toBe(141)
    expect([last("tyre_air_temperature_fl"), last("tyre_temperature_fl")]).toEqual([
      expect.closeTo(54.85, 2),
      expect.closeTo(58.85, 2)
    ])
  })

  /** A build of 2017 sent this for the front left tyre (nabezokodaikon/pcars2-telemetry-browsing, its notes). */
  it("have no pressure of 65467 kPa", () => {
    const last = lastOf((bytes) =>
      telemetryOf(bytes).write(bytes, 0, { airPressureFL: 65_467, airPressureFR: 190 })
    )
    expect([last("tyre_pressure_fl"), last("tyre_pressure_fr")]).toEqual([Number.NaN, 190])
  })

  /** Leaving the garage reads 4, 5, 3, 0 in Automobilista 2 (chris-r-uol/ams2-telemetry, docs/protocol.md). */
  it("name each step of the way out of the garage", () => {
    const game = playing()
    for (const pitMode of [4, 5, 3, 0]) game.drive(1, { pitMode })
    const reported = eventsOf(game.events, "ChannelsDeclared").flatMap(({ groups }) => groups)
    const { labels } = reported.flatMap(({ channels }) => channels).find(({ name }) => name === "pit_status")!
    const { values } = channelsIn(game.events).get("pit_status")!
    expect([...new Set(values)].map((value) => labels?.[`${value}`])).toEqual([
      "garage",
      "driving out of the garage",
      "driving out",
      "none"
    ])
    expect(new Set(channelsIn(game.events).get("in_pit")!.values)).toEqual(new Set([1, 0]))
  })

  it("leave out values that the game marks as unknown, and values whose sign is unknown", () => {
    const game = playing()
    game.stats(-1, -1)
    game.drive(2)
    const reported = channelsIn(game.events)
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
    expect(channelsIn(second).get("lap_fraction")!.values[0]).toBe(0)
  })
})
