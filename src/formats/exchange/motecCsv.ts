/** MoTeC's CSV (formats.md, 4.3): a head of quoted keys, names and units as in i2, and a row for each point. */
import { ldName } from "../motec/ldNames.ts"
import { cell, clockOf, columnIn, dayOf, type ExchangeFile, type ExchangeFormat, quoted } from "./Exchange.ts"

const EOL = "\r\n"

const key = (name: string, ...values: ReadonlyArray<string>) => [name, ...values].map(quoted).join(",")

const head = ({ columns, laps, session, start }: ExchangeFile): string => {
  // The time of day has whole seconds, so that is where times begin.
  const zero = Math.floor(start)
  const names = columns.map(ldName)
  // The end of a lap without a time may be no more than that of the rows.
  const crossings = laps.flatMap(({ endTime, lapTime, startTime }) =>
    lapTime === null ? [startTime] : [startTime, endTime]
  )
  const beacons = [...new Set(crossings)]
    .filter((time) => time > start)
    .map((time) => String(Math.round((time - zero) * 1e6) / 1e6))
  return [
    key("Format", "MoTeC CSV File"),
    key("Venue", session.circuit),
    key("Vehicle", session.vehicle),
    key("Driver", session.driver),
    key("Device", "telemetry"),
    key("Comment", `Session ${session.id}`),
    key("Log Date", dayOf(start)),
    key("Log Time", clockOf(start)),
    key("Beacon Markers", beacons.join(" ")),
    "",
    key("Time", ...names.map(({ name }) => name)),
    key("s", ...names.map(({ unit }) => unit)),
    "",
    ""
  ].join(EOL)
}

const writer: ExchangeFormat["writer"] = ({ columns, start }) => {
  const factors = columns.map((column) => ldName(column).factor)
  // The head has whole seconds: the first row is where its time of day says.
  const zero = Math.floor(start)
  return (batch) => {
    const values = columns.map(({ name }) => columnIn(batch, name)!)
    let text = ""
    for (let i = 0; i < batch.length; i++) {
      text += String(Math.round((batch.timestamps[i]! - zero) * 1e6) / 1e6)
      for (const [n, factor] of factors.entries()) text += `,${cell(values[n]![i]! * factor)}`
      text += EOL
    }
    return text
  }
}

export const motecCsv: ExchangeFormat = {
  ending: "csv",
  contentType: "application/x-motec-csv",
  needsCoordinates: false,
  head,
  writer,
  foot: ""
}
