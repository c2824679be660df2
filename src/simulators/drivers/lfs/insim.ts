/**
 * InSim 9 (sheet lfs-insim-outgauge-outsim, 1 to 3): its numbers, and its packets as tables, by its names: the packets that
 * the driver sends or reads, and those with which the emulator answers other programs. Little endian. A car of an MCI packet
 * is in layout.ts. ReqI is 0 in packets that were not requested.
 *
 * Over 250 lines: tables of packets.
 */
import { each, type Coded, type Field, type FieldValues, Struct } from "../../packets/Struct.ts"
import { carBytes, carCode } from "./cars.ts"
import { latinBytes, latinText, plainText } from "./texts.ts"

/** The version in which byte 0 counts units; 8 and older count bytes. */
export const INSIM_VERSION = 9

/** SubT of a TINY packet. */
export const Tiny = {
  none: 0,
  close: 2,
  state: 7,
  clear: 12,
  connections: 13,
  players: 14,
  raceStart: 19
} as const

/** SubT of a SMALL packet. */
export const Small = { outSim: 1, outGauge: 2 } as const

/** Of an ISI packet: this is the player's own LFS; send MCI; send HLV. */
export const InitFlag = { local: 4, cars: 32, hotLapValidity: 256 } as const

/** Of a STA packet. */
export const StateFlag = { inGame: 1, replay: 2, paused: 4, frontEnd: 256, multiplayer: 512 } as const

/** Of an STA packet's RaceInProg. */
export const RaceInProgress = { none: 0, race: 1, qualifying: 2 } as const

/** Of an NPL packet's PType. */
export const PlayerKind = { ai: 2, remote: 4 } as const

/** LFS tools read this lap or split time as 'no time', ms. */
export const NO_TIME_MS = 3_600_000

/** A metre of MCI's and OutSim's positions; 100 m/s of MCI's speeds. */
export const METRE = 65_536
export const HUNDRED_MS = 32_768

/** Byte 0 of a packet is its length in units of this many bytes. */
export const UNIT = 4

class InSimPacket<const F extends Field> extends Struct<F> {
  readonly type: number

  constructor(type: number, fields: ReadonlyArray<F>) {
    super(fields)
    this.type = type
  }

  /** With its length and type. */
  encode(values: FieldValues): Buffer {
    return this.bytes({ Size: this.size / UNIT, Type: this.type, ...values })
  }
}

/** The first four bytes of every packet; the meaning of the fourth depends on the type. */
const head = <const Fourth extends string>(fourth: Fourth) =>
  [
    ["Size", "u8"],
    ["Type", "u8"],
    ["ReqI", "u8"],
    [fourth, "u8"]
  ] as const

/** A zero byte ends it early; it has colours and code pages. */
const text = (bytes: number): Coded => ({
  bytes,
  decode: plainText,
  encode: (value) => latinBytes(value, bytes - 1)
})

/** Packets of a client are taken as they are. */
const latin = (bytes: number, most: number): Coded => ({
  bytes,
  decode: latinText,
  encode: (value) => latinBytes(value, most)
})

const carName: Coded = { bytes: 4, decode: carCode, encode: carBytes }

const invalidHead = [...head("PLID"), ["HLVC", "u8"], ["Sp1", "u8"]] as const

/** Packets that the driver sends. */
export const sent = {
  ISI: new InSimPacket(1, [
    ...head("Zero"),
    /** 0: MCI over TCP. */
    ["UDPPort", "u16"],
    ["Flags", "u16"],
    ["InSimVer", "u8"],
    ["Prefix", "u8"],
    /** Between MCI packets. */
    ["Interval", "u16", "ms"],
    ["Admin", latin(16, 16)],
    ["IName", latin(16, 15)]
  ]),
  SMALL: new InSimPacket(4, [...head("SubT"), ["UVal", "u32"]])
}

/** Packets that the driver reads, except MCI. */
export const heard = {
  VER: new InSimPacket(2, [
    ...head("Zero"),
    ["Version", text(8)],
    ["Product", text(6)],
    ["InSimVer", "u8"],
    ["Spare", "u8"]
  ]),
  /** It is also sent. */
  TINY: new InSimPacket(3, head("SubT")),
  STA: new InSimPacket(5, [
    ...head("Zero"),
    ["ReplaySpeed", "f32"],
    ["Flags", "u16"],
    ["InGameCam", "u8"],
    /** The player whose car is viewed; 0 for none. */
    ["ViewPLID", "u8"],
    ["NumP", "u8"],
    ["NumConns", "u8"],
    ["NumFinished", "u8"],
    ["RaceInProg", "u8"],
    ["QualMins", "u8", "min"],
    ["RaceLaps", "u8"],
    ["Sp2", "u8"],
    ["ServerStatus", "u8"],
    ["Track", text(6)],
    ["Weather", "u8"],
    ["Wind", "u8"]
  ]),
  RST: new InSimPacket(17, [
    ...head("Zero"),
    ["RaceLaps", "u8"],
    ["QualMins", "u8", "min"],
    ["NumP", "u8"],
    /** The lowest two bits: the number of the track's splits. */
    ["Timing", "u8"],
    ["Track", text(6)],
    ["Weather", "u8"],
    ["Wind", "u8"],
    ["Flags", "u16"],
    ["NumNodes", "u16"],
    ["Finish", "u16"],
    /** Nodes; 65535 for none. */
    ...each(["1", "2", "3"], "Split", "u16")
  ]),
  /** A connection, and the name of its player. */
  NCN: new InSimPacket(18, [
    ...head("UCID"),
    ["UName", text(24)],
    ["PName", text(24)],
    ["Admin", "u8"],
    ["Total", "u8"],
    ["Flags", "u8"],
    ["Sp3", "u8"]
  ]),
  /** The player of another connection takes the car over. */
  TOC: new InSimPacket(31, [
    ...head("PLID"),
    ["OldUCID", "u8"],
    ["NewUCID", "u8"],
    ["Sp2", "u8"],
    ["Sp3", "u8"]
  ]),
  /** A player of this connection has another name. */
  CPR: new InSimPacket(20, [...head("UCID"), ["PName", text(24)], ["Plate", text(8)]]),
  NPL: new InSimPacket(21, [
    ...head("PLID"),
    ["UCID", "u8"],
    /** 2: a computer; 4: at another machine. */
    ["PType", "u8"],
    ["Flags", "u16"],
    ["PName", text(24)],
    ["Plate", text(8)],
    ["CName", carName],
    ["SName", text(16)],
    ...each(["RL", "RR", "FL", "FR"], "Tyre", "u8"),
    ["H_Mass", "u8", "kg"],
    ["H_TRes", "u8", "%"],
    ["Model", "u8"],
    ["Passengers", "u8"],
    ["RWAdj", "u8"],
    ["FWAdj", "u8"],
    ["Sp2", "u8"],
    ["Sp3", "u8"],
    ["SetF", "u8"],
    /** In the race; 0 asks to join it. */
    ["NumP", "u8"],
    ["Config", "u8"],
    ["Fuel", "u8", "%"]
  ]),
  /** Into the garage. */
  PLP: new InSimPacket(22, head("PLID")),
  /** Out of the race. */
  PLL: new InSimPacket(23, head("PLID")),
  LAP: new InSimPacket(24, [
    ...head("PLID"),
    ["LTime", "u32", "ms"],
    /** Since the race began. */
    ["ETime", "u32", "ms"],
    ["LapsDone", "u16"],
    ["Flags", "u16"],
    ["Sp0", "u8"],
    ["Penalty", "u8"],
    ["NumStops", "u8"],
    ["Fuel200", "u8", "0.5 %"]
  ]),
  SPX: new InSimPacket(25, [
    ...head("PLID"),
    /** Since the lap began. */
    ["STime", "u32", "ms"],
    ["ETime", "u32", "ms"],
    /** 1, 2 or 3. */
    ["Split", "u8"],
    ["Penalty", "u8"],
    ["NumStops", "u8"],
    ["Fuel200", "u8", "0.5 %"]
  ]),
  PLA: new InSimPacket(28, [
    ...head("PLID"),
    /** 0 out of the pit lane, 1 into it, 2 for no purpose, 3 to drive through, 4 to stop and go. */
    ["Fact", "u8"],
    ...each(["1", "2", "3"], "Sp", "u8")
  ]),
  FIN: new InSimPacket(34, [
    ...head("PLID"),
    ["TTime", "u32", "ms"],
    /** The best lap. */
    ["BTime", "u32", "ms"],
    ["SpA", "u8"],
    ["NumStops", "u8"],
    ["Confirm", "u8"],
    ["SpB", "u8"],
    ["LapsDone", "u16"],
    ["Flags", "u16"]
  ]),
  /** Of version 9. Version 10 has the same first six bytes; no others are read. */
  HLV: new InSimPacket(52, [...invalidHead, ["Time", "u16", "10 ms"], ["Object", 8]])
}

export const HLV_10 = new InSimPacket(heard.HLV.type, [
  ...invalidHead,
  ["Sp2", "u16"],
  ["Time", "u32", "ms"],
  ["Object", 8]
])

/** The fields before its cars. */
export const MCI = new InSimPacket(38, head("NumC"))

/** Packets that only other programs read. */
export const others = {
  /** All zeros here. */
  ISM: new InSimPacket(10, [...head("Zero"), ["Told", 36]]),
  NCN: new InSimPacket(18, [
    ...head("UCID"),
    ["UName", text(24)],
    ["PName", text(24)],
    ["Admin", "u8"],
    ["Total", "u8"],
    ["Flags", "u8"],
    ["Sp3", "u8"]
  ])
}
