/**
 * States for the golden vectors of each game the axes of its world and the sign of its steering, with the sources (sheets in
 * ../shared/protocols): the golden bytes are made by hand, so they prove neither. The drivers must read places and steering
 * accordingly.
 */
import { describe, expect, it } from "vitest"
import { ABSENT, RowBatch } from "../../../src/domain/RowBatch.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { encodeAnswer } from "../../../simulator/emulators/assetto-corsa/encode.ts"
import { emulators } from "../../../simulator/emulators/index.ts"
import type { Axes, World } from "../../../simulator/emulators/World.ts"
import type { Interpreter } from "../../../src/simulators/udp/Protocol.ts"
import { AccInterpreter } from "../../../src/simulators/drivers/acc/AccInterpreter.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { protocol as dirtRally2 } from "../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { protocol as f1 } from "../../../src/simulators/drivers/f1/F1Driver.ts"
import { protocol as forza } from "../../../src/simulators/drivers/forza/ForzaDriver.ts"
import { protocol as gt7 } from "../../../src/simulators/drivers/gt7/Gt7Driver.ts"
import { LfsConversation } from "../../../src/simulators/drivers/lfs/LfsConversation.ts"
import { protocol as projectCars2 } from "../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import {
  bytesOf,
  type GoldenVector,
  goldenVectors,
  haveGolden,
  interpret,
  linkOptions,
  opened
} from "./interpreting.ts"
import { names } from "./assetto-corsa/link.ts"
import { eventsOf, pointAt } from "./suite/events.ts"
import { needing } from "../../support/needing.ts"
import { goldenHere } from "../../support/sharedData.ts"

type Place = readonly [x: number, y: number, z: number]
type Reported = GoldenVector["expect"]

interface Statement extends World {
  readonly simulator: string
  /**
   * The place of a vector, in metres (`ABSENT` for a missing height), and the steering, both as on the wire; undefined
   * if the vector has none.
   */
  readonly place: (reported: Reported) => Place | undefined
  readonly steered: (reported: Reported) => number | undefined
  /** Events of which the last point is the vector's. */
  readonly eventsFor: (
    vector: GoldenVector,
    vectors: ReadonlyArray<GoldenVector>
  ) => ReadonlyArray<SimulatorEvent>
}

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

const places =
  (...keys: readonly [x: string, y: string, z: string]) =>
  (reported: Reported): Place | undefined => {
    const [x, y, z] = keys.map((key) => number(reported[key]))
    return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z]
  }

/** s between datagrams: long enough for points that wait for names which never come. */
const PATIENTLY_S = 11

const alone = (fresh: () => Interpreter) => (vector: GoldenVector) => interpret(fresh(), [bytesOf(vector)])

const named = (vectors: ReadonlyArray<GoldenVector>, name: string) =>
  bytesOf(vectors.find((vector) => vector.name === name)!)

/** The player's car of the golden bytes of F1. */
const player = (reported: Reported) =>
  (reported["cars"] as Readonly<Record<string, Reported>> | undefined)?.["19"] ?? {}

const eventsInLfs = (_: GoldenVector, vectors: ReadonlyArray<GoldenVector>) => {
  const conversation = new LfsConversation(linkOptions(), () => undefined)
  const events = new EventBuffer()
  for (const name of ["IS_VER", "IS_STA", "IS_NPL"]) conversation.stream(named(vectors, name), 100, events)
  for (const name of ["OutSim", "OutGauge"]) conversation.datagram(named(vectors, name), 100, events)
  conversation.end(events)
  return events.take()
}

const METRE = 65_536

/** Makes the telemetry the player's, and sends the player to the menu, so that no point waits for names any more. */
const eventsInPc2 = (vector: GoldenVector, vectors: ReadonlyArray<GoldenVector>) => {
  const timings = Buffer.from(named(vectors, "timings 1063"))
  timings.writeUInt16LE(Number(vector.expect["viewedParticipantIndex"]), 1057)
  const menu = Buffer.alloc(24)
  menu.set([4, 2, 0, 0, 1], 10)
  const datagrams = [timings, Buffer.from(bytesOf(vector)), menu]
  for (const [n, bytes] of datagrams.entries()) bytes.writeUInt32LE(1000 + n, 0)
  return interpret(projectCars2.interpreter(linkOptions()), datagrams)
}

const statements: Readonly<Record<string, Statement>> = {
  "acc.json": {
    simulator: "acc",
    axes: "right-handed, y up",
    steering: undefined,
    source:
      "acc-broadcasting, section 8; overview: lines recorded from the game fit five circuits as (x, -z)",
    place: ({ worldPosX, worldPosY }) => {
      const [x, z] = [number(worldPosX), number(worldPosY)]
      return x === undefined || z === undefined ? undefined : [x, ABSENT, z]
    },
    steered: () => undefined,
    eventsFor: (vector, vectors) =>
      interpret(opened(new AccInterpreter(linkOptions())), [
        ...["REGISTRATION_RESULT ok", "ENTRY_LIST", "ENTRY_LIST_CAR", "TRACK_DATA", "REALTIME_UPDATE"].map(
          (name) => named(vectors, name)
        ),
        bytesOf(vector)
      ])
  },
  "assetto-corsa.json": {
    simulator: "assetto-corsa",
    axes: "right-handed, y up",
    steering: "right",
    source: "assetto-corsa-remote-telemetry, section 5, and addendum: a real lap of Monza (captures)",
    place: ({ carCoordinates }) => carCoordinates as Place | undefined,
    steered: ({ steer }) => number(steer),
    eventsFor: (vector) =>
      interpret(opened(new AssettoCorsaInterpreter(linkOptions())), [encodeAnswer(names), bytesOf(vector)])
  },
  "dirt-rally2.json": {
    simulator: "dirt-rally-2",
    axes: "right-handed, y up",
    steering: "right",
    source: "dirt-rally-1-and-codemasters-264, section 2: real runs of both DiRT Rallies (captures)",
    place: ({ floats }) => (floats as ReadonlyArray<number>).slice(4, 7) as unknown as Place,
    steered: ({ floats }) => (floats as ReadonlyArray<number>)[30],
    eventsFor: alone(() => dirtRally2.interpreter(linkOptions()))
  },
  "f1.json": {
    simulator: "f1",
    axes: "right-handed, y up",
    steering: "right",
    source: "f1-udp-2023-2026, sections 4.1 and 7; the axes by the directions in real packets (captures)",
    place: (reported) => places("worldPositionX", "worldPositionY", "worldPositionZ")(player(reported)),
    steered: (reported) => number(player(reported)["steer"]),
    eventsFor: ({ format }, vectors) =>
      interpret(
        f1.interpreter(linkOptions()),
        vectors.filter((vector) => vector["format"] === format).map(bytesOf),
        PATIENTLY_S
      )
  },
  "forza.json": {
    simulator: "forza",
    axes: "left-handed, y up",
    steering: "right",
    source: "overview; forza-data-out, sections 3 and 5: the documented axes, no real packets",
    place: places("positionX", "positionY", "positionZ"),
    steered: ({ steer }) => number(steer),
    eventsFor: alone(() => forza.interpreter(linkOptions()))
  },
  "gt7.json": {
    simulator: "gt7",
    axes: "right-handed, y up",
    steering: "left",
    source: "gran-turismo-7, section 6: a real lap of Spa (captures)",
    place: places("position_x", "position_y", "position_z"),
    steered: ({ steeringRad }) => number(steeringRad),
    eventsFor: alone(() => opened(gt7.conversation(linkOptions())))
  },
  "lfs.json": {
    simulator: "lfs",
    axes: "right-handed, z up",
    // No golden vector is an OutSim 2 packet, the only one that reports it.
    steering: "left",
    source: "overview; lfs-insim-outgauge-outsim, section 7: one tool, unconfirmed",
    place: (reported) =>
      places("PosX", "PosY", "PosZ")(reported)?.map((value) => value / METRE) as unknown as Place | undefined,
    steered: () => undefined,
    eventsFor: eventsInLfs
  },
  "pc2-ams2.json": {
    simulator: "project-cars-2",
    axes: "left-handed, y up",
    steering: "right",
    source: "overview; project-cars2-ams2-udp, section 3: no real packets of version 2",
    place: places("fullPositionX", "fullPositionY", "fullPositionZ"),
    steered: (reported) =>
      places("fullPositionX", "fullPositionY", "fullPositionZ")(reported)
        ? number(reported["steering"])
        : undefined,
    eventsFor: eventsInPc2
  }
}

/** Converts to right-handed axes with z up: the inverse of `World.ts`, written independently. */
const ours = (axes: Axes, [x, y, z]: Place): Place =>
  axes === "right-handed, z up" ? [x, y, z] : axes === "left-handed, y up" ? [x, z, y] : [x, -z, y]

const lastPoint = (events: ReadonlyArray<SimulatorEvent>) => {
  const batch = RowBatch.concat(eventsOf(events, "Points").map((points) => points.batch))
  expect(batch.length).toBeGreaterThan(0)
  return pointAt(batch, batch.length - 1)
}

const near = (value: number): unknown => expect.closeTo(value, 6)

describe.each(Object.entries(statements))("%s", needing(goldenHere), (file, statement) => {
  const vectors = haveGolden ? goldenVectors(file) : []
  const { axes, eventsFor, place, simulator, steered, steering } = statement

  it("is stated as the emulator's world is", () => {
    const worlds = emulators.filter((one) => one.simulator === simulator).map(({ world }) => world)
    expect(worlds.length).toBeGreaterThan(0)
    for (const world of worlds) expect([world.axes, world.steering]).toEqual([axes, steering])
  })

  it("has places that lie in the world as stated", () => {
    const stating = vectors.filter(({ expect: reported }) => place(reported) !== undefined)
    expect(stating.length).toBeGreaterThan(0)
    for (const vector of stating) {
      const point = lastPoint(eventsFor(vector, vectors))
      const [x, y, z] = ours(axes, place(vector.expect)!)
      expect([point["position_x"], point["position_y"], point["position_z"]]).toEqual([
        near(x),
        near(y),
        Number.isNaN(z) ? ABSENT : near(z)
      ])
      // A y of 0 would not show a mirrored world.
      expect(y).not.toBeCloseTo(0, 3)
    }
  })

  it("has the steering's sign as stated", () => {
    const stating = vectors.filter(({ expect: reported }) => steered(reported) !== undefined)
    // Of the two others, one protocol has no steering, and the other has no golden vector with it.
    expect(stating.some(({ expect: reported }) => steered(reported) !== 0)).toBe(
      !["acc.json", "lfs.json"].includes(file)
    )
    for (const vector of stating) {
      const raw = steered(vector.expect)!
      const right = steering === "left" ? -raw : raw
      expect(Math.sign(lastPoint(eventsFor(vector, vectors))["steering"]!)).toBe(Math.sign(right))
    }
  })
})
