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
        "Seconds behind the session's best valid one; null without another lap to compare with"
      ),
      speedAvg: nullable("km/h; null where not known"),
      speedMax: nullable("km/h; null where not known")
    })
  ),
  sectorSource: described(
    Schema.NullOr(SectorSource),
    "Whose sectors they are: `derived` ones are cut by the service. Null where there are none, or that is not known"
  ),
  totalTime: Seconds,
  theoreticalBest: nullable("Seconds: the sum of the session's best valid sectors"),
  theoreticalBestSource: described(Schema.NullOr(SectorSource), "Whose sectors that is made of"),
  missingChannels: Missing
}).annotations({ identifier: "SectorAnalysis", description: "The lap by sectors" })

export type SectorAnalysis = typeof SectorAnalysis.Type
