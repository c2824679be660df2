/** The independent npm client node-insim reads the packets that our emulator sends over TCP, field by field. */
import { describe, expect, it } from "vitest"
import {
  IS_FIN,
  IS_HLV,
  IS_PLA,
  IS_LAP,
  IS_NCN,
  IS_NPL,
  IS_PLL,
  IS_PLP,
  IS_RST,
  IS_SPX,
  IS_STA,
  IS_TINY,
  IS_VER
} from "node-insim/packets"
import * as packets from "../../../../simulator/emulators/lfs/packets.ts"
import { fieldsOf, type Unpacks } from "./client.ts"

describe("node-insim reads our emulator's packets, field by field", () => {
  const entry = { plid: 7, connection: 1, kind: 2, name: "^1Ana^8", car: "XFG" }
  const state = { flags: 5, viewed: 7, players: 2, race: 1, laps: 12, track: "FE1R" }
  const npl = {
    Size: 76,
    Type: 21,
    ReqI: 2,
    PLID: 7,
    UCID: 1,
    PType: 2,
    Flags: 514,
    PName: "^1Ana^8",
    Plate: "TSS 1",
    CName: "XFG",
    SName: "",
    TyreRL: 3,
    TyreRR: 3,
    TyreFL: 3,
    TyreFR: 3,
    H_Mass: 0,
    H_TRes: 0,
    SetF: 0,
    NumP: 2,
    Fuel: 50
  }
  it.each([
    [
      "VER",
      new IS_VER(),
      packets.version(1),
      { Size: 20, Type: 2, ReqI: 1, Version: "0.7F", Product: "S3", InSimVer: 9 }
    ],
    ["TINY", new IS_TINY(), packets.tiny(7, 3), { Size: 4, Type: 3, ReqI: 3, SubT: 7 }],
    [
      "STA",
      new IS_STA(),
      packets.state(3, state),
      {
        Size: 28,
        Type: 5,
        ReqI: 3,
        ReplaySpeed: 1,
        Flags: 5,
        InGameCam: 3,
        ViewPLID: 7,
        NumP: 2,
        NumConns: 1,
        NumFinished: 0,
        RaceInProg: 1,
        QualMins: 0,
        RaceLaps: 12,
        ServerStatus: 1,
        Track: "FE1R",
        Weather: 1,
        Wind: 0
      }
    ],
    [
      "RST",
      new IS_RST(),
      packets.raceStart(4, 2, "FE1R", 2),
      {
        Size: 28,
        Type: 17,
        ReqI: 4,
        RaceLaps: 0,
        QualMins: 0,
        NumP: 2,
        Timing: 66,
        Track: "FE1R",
        Weather: 0,
        Wind: 0,
        Flags: 0,
        NumNodes: 600,
        Finish: 0,
        Split1: 200,
        Split2: 400,
        Split3: 65_535
      }
    ],
    ["NPL", new IS_NPL(), packets.player(2, 2, entry), npl],
    [
      "NPL of a mod",
      new IS_NPL(),
      packets.player(2, 2, { ...entry, car: "4c2a1b" }),
      { ...npl, CName: "4C2A1B" }
    ],
    [
      "NCN",
      new IS_NCN(),
      packets.connection(5, 1, "^1Ana^8"),
      {
        Size: 56,
        Type: 18,
        ReqI: 5,
        UCID: 1,
        UName: "emulator",
        PName: "^1Ana^8",
        Admin: 1,
        Total: 1,
        Flags: 0
      }
    ],
    ["PLP", new IS_PLP(), packets.pits(7), { Size: 4, Type: 22, PLID: 7 }],
    ["PLL", new IS_PLL(), packets.leave(7), { Size: 4, Type: 23, PLID: 7 }],
    [
      "SPX",
      new IS_SPX(),
      packets.split(7, 31.234, 99.999, 1),
      {
        Size: 16,
        Type: 25,
        PLID: 7,
        STime: 31_234,
        ETime: 99_999,
        Split: 1,
        Penalty: 0,
        NumStops: 0,
        Fuel200: 90
      }
    ],
    [
      "LAP",
      new IS_LAP(),
      packets.lap(7, 92.345, 192.345, 2),
      {
        Size: 20,
        Type: 24,
        PLID: 7,
        LTime: 92_345,
        ETime: 192_345,
        LapsDone: 2,
        Flags: 513,
        Penalty: 0,
        NumStops: 0,
        Fuel200: 88
      }
    ],
    ["PLA", new IS_PLA(), packets.pitLane(7, 3), { Size: 8, Type: 28, PLID: 7, Fact: 3 }],
    [
      "FIN",
      new IS_FIN(),
      packets.finish(7, 185, 92.345, 2),
      {
        Size: 20,
        Type: 34,
        PLID: 7,
        TTime: 185_000,
        BTime: 92_345,
        NumStops: 0,
        Confirm: 2,
        LapsDone: 2,
        Flags: 0
      }
    ],
    // It reads those of version 10, because it requests that one.
    [
      "HLV",
      new IS_HLV(),
      packets.hotLapInvalid(7, 5, 12.345, 10),
      { Size: 20, Type: 52, PLID: 7, HLVC: 5, Time: 12_345 }
    ]
  ] as ReadonlyArray<readonly [string, Unpacks, Buffer, object]>)("%s", (_, reader, bytes, fields) => {
    expect(fieldsOf(reader, bytes)).toMatchObject(fields)
  })
})
