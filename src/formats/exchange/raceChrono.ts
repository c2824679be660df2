/** RaceChrono's CSV, format 3 (formats.md, 4.3): names, units and sources of the columns, then a row for each point. */
import { cell, clockOf, columnIn, dayOf, type ExchangeFile, type ExchangeFormat, quoted } from "./Exchange.ts"

const EOL = "\r\n"

interface Column {
  readonly name: string
  readonly unit: string
  readonly source: string
  readonly over?: number
}

/** RaceChrono's own names and units. Sideways it is positive to the left. */
const known: Readonly<Record<string, Column>> = {
  speed: { name: "speed", unit: "m/s", source: "100: gps", over: 3.6 },
  latitude: { name: "latitude", unit: "deg", source: "100: gps" },
  longitude: { name: "longitude", unit: "deg", source: "100: gps" },
  altitude: { name: "altitude", unit: "m", source: "100: gps" },
  gps_heading: { name: "bearing", unit: "deg", source: "100: gps" },
  satellites: { name: "satellites", unit: "sats", source: "100: gps" },
  rpm: { name: "rpm", unit: "rpm", source: "300: canbus" },
  gear: { name: "gear", unit: "", source: "300: canbus" },
  throttle: { name: "throttle_pos", unit: "%", source: "300: canbus", over: 0.01 },
  brake: { name: "brake_pos", unit: "%", source: "300: canbus", over: 0.01 },
  steering_angle: { name: "steering_angle", unit: "deg", source: "300: canbus" },
  g_lateral: { name: "lateral_acc", unit: "G", source: "calc", over: -1 },
  g_longitudinal: { name: "longitudinal_acc", unit: "G", source: "calc" }
}

const columnsOf = ({ columns }: ExchangeFile) =>
  columns.map(({ name, unit }) => ({
    channel: name,
    ...(known[name] ?? { name, unit, source: "300: canbus" })
  }))

const head = (file: ExchangeFile): string => {
  const { session, start } = file
  const columns = columnsOf(file)
  return [
    "This file is created using RaceChrono CSV v3 as written by telemetry",
    "Format,3",
    `Session title,${quoted(`${session.circuit} ${session.vehicle}`)}`,
    "Session type,Lap timing",
    `Track name,${quoted(session.circuit)}`,
    `Driver name,${quoted(session.driver)}`,
    `Created,${dayOf(start)},${clockOf(start).slice(0, 5)}`,
    `Note,${quoted(session.vehicle)}`,
    "",
    ["timestamp", "fragment_id", "lap_number", ...columns.map(({ name }) => name)].join(","),
    ["unix time", "", "", ...columns.map(({ unit }) => unit)].join(","),
    ["", "", "", ...columns.map(({ source }) => source)].join(","),
    ""
  ].join(EOL)
}

const writer: ExchangeFormat["writer"] = (file) => {
  const columns = columnsOf(file)
  return (batch, lap) => {
    const values = columns.map(({ channel }) => columnIn(batch, channel)!)
    let text = ""
    for (let i = 0; i < batch.length; i++) {
      text += `${batch.timestamps[i]!},0,${lap ?? ""}`
      for (const [n, { over = 1 }] of columns.entries()) text += `,${cell(values[n]![i]! / over)}`
      text += EOL
    }
    return text
  }
}

export const raceChrono: ExchangeFormat = {
  ending: "csv",
  contentType: "application/x-racechrono-csv",
  needsCoordinates: false,
  head,
  writer,
  foot: ""
}
