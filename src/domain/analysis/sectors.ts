/** The sectors of a lap. */
import { Schema } from "effect"
import { SectorSource } from "../Lap.ts"
import { described, LapReference, Missing, nullable, Seconds, Version } from "./parts.ts"

export const SectorAnalysis = Schema.Struct({
  algorithmVersion: Version,
  lapId: LapReference,
  sectors: Schema.Array(
    Schema.Struct({
      sectorNumber: Schema.Int,
      time: Seconds,
      delta: nullable(
        "Seconds behind the session's best valid sector; null without another lap to compare with"
      ),
      speedAvg: nullable("km/h; null if unknown"),
      speedMax: nullable("km/h; null if unknown")
    })
  ),
  sectorSource: described(
    Schema.NullOr(SectorSource),
    "The source of the sectors; `derived`: the service. Null if there are none"
  ),
  totalTime: Seconds,
  theoreticalBest: nullable("Seconds: the sum of the session's best valid sectors"),
  theoreticalBestSource: described(
    Schema.NullOr(SectorSource),
    "The source of the sectors of `theoretical_best`"
  ),
  missingChannels: Missing
}).annotations({ identifier: "SectorAnalysis", description: "The lap's sectors" })

export type SectorAnalysis = typeof SectorAnalysis.Type
