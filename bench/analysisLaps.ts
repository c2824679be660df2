/** The laps for the benchmarks of the analysis: of a simulated drive, always the same. */
import type { LapData } from "../src/analysis/place/alignment.ts"
import { channels } from "../src/domain/pointChannels.ts"
import { RowBatch } from "../src/domain/RowBatch.ts"
import { circuitNamed } from "../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../simulator/model/vehicles.ts"

/** `rateOf`: Hz, by the lap's time in s. */
export const drivenLaps = (
  numbers: ReadonlyArray<number>,
  rateOf: (lapTime: number) => number
): ReadonlyArray<LapData> => {
  const drive = new SimulatedDrive({ circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, seed: 1 })
  return numbers.map((number) => {
    const { end, lapNumber, lapTime, sectors, start, valid } = drive.lap(number)
    const { data, length } = drive.between(start, end, rateOf(lapTime)).batch
    return {
      points: new RowBatch(length, data, channels),
      lap: {
        id: lapNumber,
        sessionId: 1,
        lapNumber,
        lapTime,
        sector1Time: sectors[0],
        sector2Time: sectors[1],
        sector3Time: sectors[2],
        valid,
        startTime: start,
        endTime: end
      }
    }
  })
}
