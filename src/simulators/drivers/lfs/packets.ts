/** InSim packets as they are on the wire (sheet lfs-insim-outgauge-outsim, section 3). Times in ms. */

/** What comes rarely. `request`: ReqI, 0 for what was not asked for. */
export type InSimPacket =
  | {
      readonly _tag: "Version"
      readonly request: number
      readonly version: string
      readonly product: string
      readonly inSimVersion: number
    }
  | { readonly _tag: "Tiny"; readonly request: number; readonly subType: number }
  | {
      readonly _tag: "State"
      readonly replaySpeed: number
      readonly flags: number
      readonly camera: number
      /** The player whose car is viewed; 0 for none. */
      readonly viewed: number
      readonly players: number
      readonly connections: number
      readonly finished: number
      readonly race: number
      readonly qualifyingMinutes: number
      readonly laps: number
      readonly serverStatus: number
      readonly track: string
      readonly weather: number
      readonly wind: number
    }
  | {
      readonly _tag: "RaceStart"
      readonly request: number
      readonly laps: number
      readonly qualifyingMinutes: number
      readonly players: number
      readonly timing: number
      readonly track: string
      readonly weather: number
      readonly wind: number
      readonly flags: number
      readonly nodes: number
      readonly finish: number
      readonly splits: readonly [number, number, number]
    }
  | {
      readonly _tag: "Player"
      readonly plid: number
      readonly connection: number
      readonly kind: number
      readonly flags: number
      readonly name: string
      readonly plate: string
      readonly car: string
      readonly skin: string
      /** Rear left, rear right, front left, front right. */
      readonly tyres: readonly [number, number, number, number]
      readonly mass: number
      readonly restriction: number
      readonly setup: number
      /** In the race; 0 asks to join it. */
      readonly players: number
      readonly fuel: number
    }
  | { readonly _tag: "Pits"; readonly plid: number }
  | { readonly _tag: "Leave"; readonly plid: number }
  /** Goes into the pit lane, for whatever purpose, or comes out of it. */
  | { readonly _tag: "PitLane"; readonly plid: number; readonly isIn: boolean }
  | {
      readonly _tag: "Split"
      readonly plid: number
      /** Since the lap began. */
      readonly time: number
      readonly elapsed: number
      /** 1, 2 or 3. */
      readonly split: number
      readonly penalty: number
      readonly stops: number
      readonly fuel: number
    }
  | {
      readonly _tag: "Lap"
      readonly plid: number
      readonly time: number
      readonly elapsed: number
      readonly lapsDone: number
      readonly flags: number
      readonly penalty: number
      readonly stops: number
      readonly fuel: number
    }
  | {
      readonly _tag: "Finish"
      readonly plid: number
      readonly total: number
      readonly best: number
      readonly stops: number
      readonly confirmed: number
      readonly lapsDone: number
      readonly flags: number
    }
  | { readonly _tag: "HotLapInvalid"; readonly plid: number; readonly reason: number }
