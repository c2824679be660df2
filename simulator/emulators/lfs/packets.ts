/** Live for Speed's packets (sheet lfs-insim-outgauge-outsim, sections 3 to 5). Little endian. */
import {
  heard,
  HLV_10,
  HUNDRED_MS,
  INSIM_VERSION,
  MCI,
  METRE,
  others,
  UNIT
} from "../../../src/simulators/drivers/lfs/insim.ts"
import { compCar } from "../../../src/simulators/drivers/lfs/layout.ts"
import type { Frame } from "../Emulator.ts"
import { inWorld } from "../World.ts"
import { WORLD } from "./outputs.ts"

const KMH = 3.6
const TURN = 65_536

const ms = (seconds: number): number => Math.round(seconds * 1000)

/** `inSim`: the version in use. */
export const version = (request: number, inSim = INSIM_VERSION): Buffer =>
  heard.VER.encode({ ReqI: request, Version: "0.7F", Product: "S3", InSimVer: inSim })

export const tiny = (subType: number, request = 0): Buffer =>
  heard.TINY.encode({ ReqI: request, SubT: subType })

export interface StateOfPlay {
  readonly flags: number
  readonly viewed: number
  readonly players: number
  /** 0 none, 1 race. */
  readonly race: number
  readonly laps: number
  readonly track: string
}

export const state = (request: number, { flags, laps, players, race, track, viewed }: StateOfPlay): Buffer =>
  heard.STA.encode({
    ReqI: request,
    ReplaySpeed: 1,
    Flags: flags,
    InGameCam: 3,
    ViewPLID: viewed,
    NumP: players,
    NumConns: 1,
    RaceInProg: race,
    RaceLaps: laps,
    ServerStatus: 1,
    Track: track,
    Weather: 1
  })

/** `splits`: the number of the track's splits. */
export const raceStart = (request: number, players: number, track: string, splits: number): Buffer => {
  const nodeOf = (split: number) => (split <= splits ? 200 * split : 65_535)
  return heard.RST.encode({
    ReqI: request,
    NumP: players,
    Timing: 0x40 + splits,
    Track: track,
    NumNodes: 600,
    Split1: nodeOf(1),
    Split2: nodeOf(2),
    Split3: nodeOf(3)
  })
}

export interface Entry {
  readonly plid: number
  readonly connection: number
  /** 2: a computer; 4: at another machine. */
  readonly kind: number
  readonly name: string
  /** A code of three characters, or the number of a mod: six hexadecimal digits. */
  readonly car: string
}

export const player = (
  request: number,
  players: number,
  { car, connection, kind, name, plid }: Entry
): Buffer =>
  heard.NPL.encode({
    ReqI: request,
    PLID: plid,
    UCID: connection,
    PType: kind,
    Flags: 512 + 2,
    PName: name,
    Plate: "TSS 1",
    CName: car,
    TyreRL: 3,
    TyreRR: 3,
    TyreFL: 3,
    TyreFR: 3,
    NumP: players,
    Fuel: 50
  })

export const connection = (request: number, ucid: number, name: string): Buffer =>
  others.NCN.encode({ ReqI: request, UCID: ucid, UName: "emulator", PName: name, Admin: 1, Total: 1 })

export const host = (request: number): Buffer => others.ISM.encode({ ReqI: request })

export const pits = (plid: number): Buffer => heard.PLP.encode({ PLID: plid })

export const leave = (plid: number): Buffer => heard.PLL.encode({ PLID: plid })

/** `time`: since the line; `elapsed`: since the race began; s. */
export const split = (plid: number, time: number, elapsed: number, number: number): Buffer =>
  heard.SPX.encode({ PLID: plid, STime: ms(time), ETime: ms(elapsed), Split: number, Fuel200: 90 })

export const lap = (plid: number, time: number, elapsed: number, lapsDone: number): Buffer =>
  heard.LAP.encode({
    PLID: plid,
    LTime: ms(time),
    ETime: ms(elapsed),
    LapsDone: lapsDone,
    Flags: 512 + 1,
    Fuel200: 88
  })

/** `fact`: 0 out of the pit lane, 1 into it, 2 to 4 into it for a purpose. */
export const pitLane = (plid: number, fact: number): Buffer => heard.PLA.encode({ PLID: plid, Fact: fact })

export const finish = (plid: number, total: number, best: number, lapsDone: number): Buffer =>
  heard.FIN.encode({ PLID: plid, TTime: ms(total), BTime: ms(best), Confirm: 2, LapsDone: lapsDone })

/**
 * `reason`: 0 ground, 1 wall, 4 speeding in the pits, 5 out of bounds. Version 10 has the time in ms in a field of its own; the
 * following fields about the car's place are zero here.
 */
export const hotLapInvalid = (plid: number, reason: number, time: number, inSim = INSIM_VERSION): Buffer =>
  inSim > INSIM_VERSION
    ? HLV_10.encode({ PLID: plid, HLVC: reason, Time: ms(time) })
    : heard.HLV.encode({ PLID: plid, HLVC: reason, Time: Math.round(time * 100) % TURN })

/** A packet of a type that no version has. */
export const unknown = (): Buffer => Buffer.from([3, 200, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])

/** The place of a car, in the units and axes of our points; LFS has the same axes. */
export type Position = Pick<Frame, "x" | "y" | "z" | "speed" | "heading"> & {
  readonly plid: number
  readonly lap: number
}

const LAST_CAR = 128

/** LFS counts directions counter-clockwise from the y axis. */
const direction = (heading: number): number => {
  const turns = (heading - Math.PI / 2) / (2 * Math.PI)
  return Math.floor((turns - Math.floor(turns)) * TURN) % TURN
}

export const cars = (positions: ReadonlyArray<Position>): Buffer =>
  Buffer.concat([
    MCI.encode({
      Size: (MCI.size + compCar.size * positions.length) / UNIT,
      NumC: positions.length
    }),
    ...positions.map(({ heading, lap, plid, speed, x, y, z }, n) => {
      const [worldX, worldY, worldZ] = inWorld(WORLD, x, y, z)
      return compCar.bytes({
        Lap: lap,
        PLID: plid,
        Position: positions.length - n,
        Info: n === positions.length - 1 ? LAST_CAR : 0,
        X: Math.round(worldX * METRE),
        Y: Math.round(worldY * METRE),
        Z: Math.round(worldZ * METRE),
        Speed: Math.round((speed / KMH / 100) * HUNDRED_MS),
        Direction: direction(heading),
        Heading: direction(heading)
      })
    })
  ])
