/**
 * The channels of Assetto Corsa Competizione (addendum-acc-broadcasting.md). Laps, and values that need more than one packet, are
 * computed by the driver (AccChannels.ts).
 */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { channelMap, type More } from "../../packets/ChannelMap.ts"
import { circle, fromOne, kilo, over, positive } from "../../packets/conversions.ts"
import { carUpdate, conditions, PIT_LANE, sessionUpdate } from "./layout.ts"

const TRACK = 1
const PIT_ENTRY = 3
const PIT_EXIT = 4

/** By the car's location, in the order of a stop; absent where the location is unknown. */
const pitStatus: Readonly<Record<number, number>> = {
  [TRACK]: 0,
  [PIT_ENTRY]: 1,
  [PIT_LANE]: 2,
  [PIT_EXIT]: 3
}

const isInPit = (location: number): number =>
  pitStatus[location] === undefined ? ABSENT : Number(location === PIT_LANE)

const tenths = over(10)

const step = (description: string, labels: Readonly<Record<string, string>> = {}): More => ({
  group: "acc_race",
  unit: "",
  kind: "step",
  description,
  labels
})
const flag = (description: string): More => ({ group: "acc_race", unit: "", kind: "flag", description })

/** Values that the driver computes for the car's laps and the session. Times in s. */
const state = [
  /** Our yaw is yawSign * yaw + yawZero, rad. */
  "yawSign",
  "yawZero",
  /** m; absent where the track's length is unknown. */
  "lapDistance",
  "lapTime",
  "sector1",
  "sector2",
  "isInvalid",
  "isValidForBest",
  "isOutLap",
  "isInLap",
  "lastLapTime",
  "bestLapTime",
  "sessionBestLapTime",
  /** 1 where a best lap exists, to which the delta may refer. */
  "hasBest",
  "sessionTime",
  "timeLeft"
] as const

/** The names that `ChannelRows.set` takes. */
export type StateValue = `state.${(typeof state)[number]}`

export const channels = channelMap(
  { car: carUpdate, session: sessionUpdate, conditions, state },
  {
    car: [
      ["yaw", ["yaw", "state.yawSign", "state.yawZero"], (yaw, sign, zero) => circle(yaw * sign + zero)],
      ["current_lap", "laps", fromOne],
      ["lap_distance", "state.lapDistance"],
      ["lap_fraction", "splinePosition"],
      ["lap_time_so_far", "state.lapTime"],
      ["delta_to_best", ["delta", "state.hasBest"], kilo],
      ["race_position", "position", positive],
      ["laps_completed", "laps"],
      [
        "pit_status",
        "carLocation",
        (location: number) => pitStatus[location] ?? ABSENT,
        { labels: { 0: "none", 1: "driving in", 2: "in the lane", 3: "driving out" } }
      ],
      ["in_pit", "carLocation", isInPit],
      ["lap_invalid", "state.isInvalid"],
      ["last_lap_time", "state.lastLapTime"],
      ["best_lap_time", "state.bestLapTime"],
      ["sector1_time", "state.sector1"],
      ["sector2_time", "state.sector2"],
      ["session_time", "state.sessionTime"],
      ["session_time_left", "state.timeLeft"],
      ["time_of_day", "conditions.timeOfDay"],
      ["acc_cup_position", "cupPosition", positive, step("In its category")],
      ["acc_track_position", "trackPosition", positive, step("By the order on the track")],
      ["acc_driver", "driverIndex", fromOne, step("Which of the car's drivers drives, from 1")],
      ["acc_out_lap", "state.isOutLap", undefined, flag("The lap under way comes out of the pits")],
      ["acc_in_lap", "state.isInLap", undefined, flag("The lap under way goes into the pits")],
      ["acc_valid_for_best", "state.isValidForBest", undefined, flag("The lap under way may be a best one")],
      [
        "acc_session_best_lap_time",
        "state.sessionBestLapTime",
        undefined,
        { ...step("Of any car"), unit: "s" }
      ],
      [
        "acc_session_type",
        "session.sessionType",
        undefined,
        step("", {
          0: "practice",
          4: "qualifying",
          9: "superpole",
          10: "race",
          11: "hotlap",
          12: "hotstint",
          13: "hotlap superpole",
          14: "replay"
        })
      ],
      [
        "acc_phase",
        "session.phase",
        undefined,
        step("Of the session", {
          0: "none",
          1: "starting",
          2: "pre-formation",
          3: "formation lap",
          4: "pre-session",
          5: "session",
          6: "session over",
          7: "post session",
          8: "results"
        })
      ]
    ],
    conditions: [
      ["air_temperature", "ambientTemp"],
      ["track_temperature", "trackTemp"],
      ["rain", "rainLevel", tenths],
      ["wetness", "wetness", tenths],
      ["acc_clouds", "clouds", tenths, { group: "acc_weather", unit: "", description: "0 to 1" }]
    ]
  }
)
