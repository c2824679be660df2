/** Which packets of Project CARS 2 and Automobilista 2 are recognised, and which are named as unreadable. */
import { describe, expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { eventsOf } from "../suite/events.ts"
import { Game } from "./packets.ts"

const isOurs = (type: number, length: number) => {
  const bytes = Buffer.alloc(length)
  bytes[10] = type
  bytes[11] = 1
  return protocol.recognises(bytes)
}

const refusals = ({ events }: Game) => eventsOf(events, "Refused").map(({ reason }) => reason)

describe("data that cannot be recorded", () => {
  it.each([
    [2, 1040],
    [3, 993],
    [7, 784]
  ])("is reported: packet %i of the game's first release", (type, length) => {
    const bytes = Buffer.alloc(length)
    bytes[10] = type
    const game = new Game()
    game.deliver(bytes)
    expect(refusals(game)).toEqual([
      `a packet of ${length} bytes is of the game's first release, which reported less: update the game`
    ])
  })

  it("is reported: a car beyond those that the game sends", () => {
    const game = new Game()
    game.state(2)
    game.names()
    game.drive(1, { local: 40, viewed: 40, participants: 41 })
    expect(refusals(game)).toContain("the car is participant 41, and the game reports only the first 32")
  })
})

describe("a datagram of the game", () => {
  it("is recognised by type, version and least length", () => {
    expect([isOurs(0, 538), isOurs(0, 700), isOurs(3, 1059), isOurs(4, 24), isOurs(8, 1164)]).toEqual(
      Array(5).fill(true)
    )
    expect([isOurs(0, 537), isOurs(3, 1058), isOurs(4, 23), isOurs(5, 1000), isOurs(255, 1400)]).toEqual(
      Array(5).fill(false)
    )
    expect(protocol.recognises(Buffer.alloc(5))).toBe(false)
  })
})
