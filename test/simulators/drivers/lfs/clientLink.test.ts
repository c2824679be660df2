/** The independent npm client node-insim on the sockets of our emulator. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { InSim, OutGauge, type OutGaugePack } from "node-insim"
import {
  type IS_LAP,
  type IS_MCI,
  type IS_NPL,
  IS_SMALL,
  type IS_SPX,
  IS_TINY,
  type IS_VER,
  PacketType,
  SmallType,
  TinyType
} from "node-insim/packets"
import { until } from "../../../live/support.ts"
import { freePort } from "../../udp/udp.ts"
import { served } from "./serving.ts"

const ms = (seconds: number) => Math.round(seconds * 1000)

it.scoped("node-insim receives the race over TCP, and the dashboard over UDP", () =>
  Effect.gen(function* () {
    const simulator = yield* served({ frames: { laps: 3, rate: 20 }, game: { keepAliveEvery: 2 } })
    const port = yield* freePort
    const versions: Array<Pick<IS_VER, "InSimVer" | "Version">> = []
    const players: Array<Pick<IS_NPL, "CName" | "PLID" | "PName">> = []
    const laps: Array<Pick<IS_LAP, "LTime" | "LapsDone" | "PLID">> = []
    const splits: Array<Pick<IS_SPX, "STime" | "Split">> = []
    const cars: Array<Pick<IS_MCI, "Info">> = []
    const gauges: Array<OutGaugePack> = []
    const race = new InSim()
    race.on(PacketType.ISP_VER, (packet) => versions.push(packet))
    race.on(PacketType.ISP_NPL, (packet) => players.push(packet))
    race.on(PacketType.ISP_LAP, (packet) => laps.push(packet))
    race.on(PacketType.ISP_SPX, (packet) => splits.push(packet))
    race.on(PacketType.ISP_MCI, (packet) => cars.push(packet))
    const dashboard = new InSim()
    dashboard.on(PacketType.ISP_VER, (packet) => versions.push(packet))
    const outGauge = new OutGauge()
    outGauge.on("packet", (packet) => gauges.push(packet))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        race.disconnect()
        dashboard.disconnect()
        outGauge.disconnect()
      })
    )
    const at = { Host: "127.0.0.1", Port: simulator.port, ReqI: 1 }
    race.connect({ ...at, IName: "race", Flags: 32 + 256, Interval: 50 })
    dashboard.connect({ ...at, IName: "dashboard", UDPPort: port })
    outGauge.connect({ Host: "127.0.0.1", Port: port })
    yield* Effect.promise(() => until(() => versions.length === 2))
    race.send(new IS_TINY({ ReqI: 1, SubT: TinyType.TINY_NPL }))
    dashboard.send(new IS_SMALL({ SubT: SmallType.SMALL_SSG, UVal: 5 }))
    yield* Effect.promise(() => until(() => players.length === 2))
    yield* simulator.drive
    yield* Effect.promise(() => until(() => laps.length === 3))

    expect(versions.map(({ InSimVer, Version }) => [InSimVer, Version])).toEqual([
      [10, "0.7F"],
      [10, "0.7F"]
    ])
    expect(players.map(({ CName, PLID, PName }) => [PLID, PName, CName])).toEqual([
      [3, "^2AI 1", "UF1"],
      [7, "^1Robin Vale^8", "FO8"]
    ])
    expect(laps.map(({ LTime, LapsDone, PLID }) => [PLID, LapsDone, LTime])).toEqual(
      simulator.driven.map(({ lapNumber, lapTime }) => [7, lapNumber, ms(lapTime)])
    )
    expect(splits.map(({ STime, Split }) => [Split, STime])).toEqual(
      simulator.driven.flatMap(({ sectors: [one, two] }) => [
        [1, ms(one)],
        [2, ms(one + two)]
      ])
    )
    const driven = simulator.frames.filter(({ finished }) => !finished)
    expect(cars.length).toBeGreaterThanOrEqual(driven.length)
    for (const [n, { heading, lap, speed, x, y, z }] of driven.entries()) {
      const turns = (heading - Math.PI / 2) / (2 * Math.PI)
      expect(cars[n]!.Info[1]).toMatchObject({
        PLID: 7,
        Lap: lap.lapNumber,
        X: Math.round(x * 65_536),
        Y: Math.round(y * 65_536),
        Z: Math.round(z * 65_536),
        Speed: Math.round((speed / 360) * 32_768),
        Heading: Math.floor((turns - Math.floor(turns)) * 65_536)
      })
    }
    expect(gauges.length).toBeGreaterThan(driven.length * 0.97)
    const byTime = new Map(driven.map((one) => [ms(one.sessionTime), one]))
    for (const { Brake, Gear, PLID, RPM, Speed, Throttle, Time } of gauges) {
      const one = byTime.get(Time)
      if (one === undefined) continue
      expect([PLID, Gear]).toEqual([7, one.gear + 1])
      expect(Speed).toBe(Math.fround(one.speed / 3.6))
      expect(RPM).toBe(Math.fround(one.rpm))
      expect([Throttle, Brake]).toEqual([Math.fround(one.throttle), Math.fround(one.brake)])
    }
  })
)
