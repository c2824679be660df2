/**
 * Racelogic's `.vbo` (formats.md, 4.3): rows with a position, at the points' times, UTC. A value that is absent is the last
 * one, and 0 before the first: the format has no empty cells.
 */
import type { ChannelDefinition } from "../../domain/Dictionary.ts"
import { clockOf, columnIn, dayOf, type ExchangeFile, type ExchangeFormat } from "./Exchange.ts"

const EOL = "\r\n"

/** Columns of Racelogic's own, whose names every reader knows. */
const own: Readonly<Record<string, readonly [title: string, column: string]>> = {
  satellites: ["satellites", "sats"],
  latitude: ["latitude", "lat"],
  longitude: ["longitude", "long"],
  speed: ["velocity kmh", "velocity"],
  gps_heading: ["heading", "heading"],
  altitude: ["height", "height"]
}

const modules = ({ columns }: ExchangeFile): ReadonlyArray<ChannelDefinition> =>
  columns.filter(({ name }) => own[name] === undefined)

/** The satellites of a position whose source does not count them: a reader takes 0 for no fix. */
const FIX = 4

/** Minutes of arc with a sign and 7 decimals. */
const minutes = (degrees: number): string => {
  const [whole = "", decimals = ""] = Math.abs(degrees * 60)
    .toFixed(7)
    .split(".")
  return `${degrees < 0 ? "-" : "+"}${whole.padStart(5, "0")}.${decimals}`
}

/** `hhmmss.sss`, UTC. */
const timeOf = (epochSeconds: number): string =>
  new Date(Math.round(epochSeconds * 1000)).toISOString().slice(11, 23).replaceAll(":", "")

const gateLine = ({ gate }: ExchangeFile): ReadonlyArray<string> => {
  if (gate === undefined) return []
  const ends = [0, 1].flatMap((end) => [minutes(-gate.longitudes[end]!), minutes(gate.latitudes[end]!)])
  return ["[laptiming]", `Start ${ends.join(" ")} ¬ Start / Finish`, ""]
}

const head = (file: ExchangeFile): string => {
  const { session, start } = file
  const titles = ["satellites", "time", "latitude", "longitude", "velocity kmh", "heading", "height"]
  const names = ["sats", "time", "lat", "long", "velocity", "heading", "height"]
  return [
    `File created on ${dayOf(start)} @ ${clockOf(start)}`,
    "",
    "[header]",
    ...titles,
    ...modules(file).map(({ name }) => name),
    "",
    "[channel units]",
    ...modules(file).map(({ unit }) => (unit === "" ? "1" : unit)),
    "",
    "[comments]",
    ...[session.circuit, session.vehicle, session.driver].map((text) => text.replace(/[\r\n[\]]+/g, " ")),
    "",
    ...gateLine(file),
    "[column names]",
    [...names, ...modules(file).map(({ name }) => name)].join(" "),
    "",
    "[data]",
    ""
  ].join(EOL)
}

const writer = (file: ExchangeFile) => {
  const others = ["speed", "gps_heading", "altitude", ...modules(file).map(({ name }) => name)]
  const last = others.map(() => 0)
  return (batch: Parameters<ReturnType<ExchangeFormat["writer"]>>[0]): string => {
    const [latitudes, longitudes, satellites] = ["latitude", "longitude", "satellites"].map((name) =>
      columnIn(batch, name)
    )
    const values = others.map((name) => columnIn(batch, name))
    let text = ""
    for (let i = 0; i < batch.length; i++) {
      values.forEach((column, n) => {
        const value = column?.[i] ?? Number.NaN
        if (!Number.isNaN(value)) last[n] = value
      })
      const [latitude, longitude] = [latitudes![i]!, longitudes![i]!]
      if (Number.isNaN(latitude + longitude)) continue
      const count = satellites?.[i] ?? FIX
      const fix = String(Number.isNaN(count) ? FIX : count).padStart(3, "0")
      text += `${fix} ${timeOf(batch.timestamps[i]!)} ${minutes(latitude)} ${minutes(-longitude)} ${last.join(" ")}${EOL}`
    }
    return text
  }
}

export const vbo: ExchangeFormat = {
  ending: "vbo",
  contentType: "application/x-racelogic-vbo",
  needsCoordinates: true,
  head,
  writer,
  foot: ""
}
