/** Frames become points, also when their packets are lost, late, repeated or out of order. */
import { describe, expect, it } from "vitest"
import { column, falls, discarded, eventsOf, story } from "../suite/events.ts"
import { Game, missing, PLAYER, points, running } from "./packets.ts"
import { lapNumbersOf } from "../../lapColumns.ts"

describe("a frame of F1", () => {
  it("is whole in whatever order its packets come", () => {
    const game = running()
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1]
    ] as const) {
      const { lapData, motion, telemetry } = game.parts()
      const all = [motion, lapData, telemetry]
      game.deliver(...order.map((n) => all[n]!))
      game.advance()
    }
    expect(points(game.events)).toBe(4)
    expect(column(game.events, "position_x")).toEqual([601, 602, 603, 604])
    expect(missing(game.events)).toBe(0)
  })

  it("without its LapData is a point without a lap number and lap distance", () => {
    const game = running()
    const { motion, telemetry } = game.parts()
    game.deliver(motion, telemetry)
    expect(points(game.events)).toBe(0)
    game.advance()
    game.tick()
    const reported = eventsOf(game.events, "Points").flatMap(lapNumbersOf)
    expect(reported).toEqual([Number.NaN, 1])
  })

  it("without its LapData begins no session", () => {
    const game = new Game()
    game.names()
    const { motion, telemetry } = game.parts()
    game.deliver(motion, telemetry)
    game.advance()
    game.drive(0.1)
    expect(story(game.events)).toEqual(["SessionStarted", 6])
  })

  it("without its Motion or CarTelemetry is a lost point", () => {
    const game = running()
    const first = game.parts()
    game.deliver(first.lapData, first.telemetry)
    game.advance()
    const second = game.parts()
    game.deliver(second.motion, second.lapData)
    game.advance()
    game.tick()
    expect([points(game.events), missing(game.events)]).toEqual([1, 2])
  })

  it("that comes late or twice does no harm", () => {
    const game = running()
    const before = game.parts()
    game.tick()
    const { lapData, motion, telemetry } = game.parts()
    game.deliver(motion, lapData, telemetry, motion, lapData, telemetry)
    game.deliver(before.motion, before.lapData, before.telemetry)
    game.advance()
    game.tick()
    expect([points(game.events), missing(game.events), discarded(game.events, "late")]).toEqual([3, 0, 2])
    expect(falls(column(game.events, "timestamp"))).toBe(0)
  })

  it.each([1, 2, 3])("that is lost is counted as missing, if the game sends one of %i", (every) => {
    const game = running()
    for (let n = 1; n <= 400; n++) {
      if (n % 50 === 0) game.advance(every)
      else game.tick({}, every)
    }
    expect(points(game.events)).toBe(392)
    expect(missing(game.events)).toBe(7)
  })

  it("is not counted as missing if the game stutters, or draws faster than before", () => {
    const game = running()
    game.drive(1)
    // Longer between two frames that follow each other.
    for (let n = 0; n < 20; n++) {
      game.tick()
      game.time += 0.1
    }
    // Two frames in the time of one.
    for (let n = 0; n < 60; n++) {
      game.tick()
      game.frame++
      game.overall++
    }
    expect(missing(game.events)).toBe(0)
  })

  it("with values that are not finite is no point", () => {
    const game = running()
    game.send("motion", { header: { sessionTime: Number.NaN } })
    game.advance()
    const { lapData, telemetry } = game.parts()
    game.deliver(
      game.packet("motion", { element: PLAYER, values: { worldPositionX: Number.POSITIVE_INFINITY } }),
      lapData,
      telemetry
    )
    expect(eventsOf(game.events, "Refused").map(({ reason }) => reason)).toEqual([
      "the session time of an F1 packet is no number"
    ])
    expect(eventsOf(game.events, "Discarded")).toEqual([
      expect.objectContaining({ reason: "not_finite", points: 1 })
    ])
  })

  it("has the car's right side on the right", () => {
    // Directions that a game sent (z0mt3c/f1-telemetry-client, src/mocks/2020): forward and right of a parked car.
    const ahead = [7109, -287, 31985] as const
    const right = [-31986, 0, 7110] as const
    const seen = [[0, 0, 0] as const, ahead, right].map(([x, y, z]) => {
      const game = new Game()
      game.names()
      const { lapData, telemetry } = game.parts()
      const values = { worldPositionX: x, worldPositionY: y, worldPositionZ: z }
      game.deliver(game.packet("motion", { element: PLAYER, values }), lapData, telemetry)
      game.end()
      return [column(game.events, "position_x")[0]!, column(game.events, "position_y")[0]!] as const
    })
    const [, [ax, ay], [rx, ry]] = seen as [never, readonly [number, number], readonly [number, number]]
    // Seen from above, from ahead to the right is clockwise.
    expect(ax * ry - ay * rx).toBeLessThan(0)
  })
})
