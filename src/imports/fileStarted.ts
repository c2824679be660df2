import { SimulatorEvent } from "../domain/SimulatorEvent.ts"

interface NamesOfFile {
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
}

/**
 * The start of a session that a file holds. The times of its rows are epoch seconds, so its clock's zero is 0.
 * @param datetime - Epoch seconds of the first row.
 * @param tellsLaps - Whether the file has the laps; else the recorder looks for them in the points.
 */
export const fileStarted = (
  { circuit, driver, vehicle }: NamesOfFile,
  datetime: number,
  tellsLaps: boolean
) =>
  SimulatorEvent.SessionStarted({
    circuit,
    vehicle,
    driver,
    datetime,
    clockZero: 0,
    circuitLength: undefined,
    startLine: undefined,
    tellsLaps,
    tellsLastLap: tellsLaps
  })
