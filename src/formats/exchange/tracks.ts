/** The way of a car as GPX 1.1 and as KML 2.2 (formats.md, 4.3): a part for each lap, of the rows that have coordinates. */
import { formatDateTime } from "../../domain/Time.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import { columnIn, type ExchangeFile, type ExchangeFormat } from "./Exchange.ts"

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Text of XML, without the control characters that it may not have. */
const escaped = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is removed
  text.replaceAll(/[\u0000-\u001f\ufffe\uffff]/g, " ").replaceAll(/[&<>"]/g, (one) => entities[one]!)

const titleOf = ({ session }: ExchangeFile) =>
  escaped([session.circuit, session.vehicle, session.driver].join(", "))

/** The text of each row that has coordinates. */
const placed = (
  batch: RowBatch,
  textOf: (latitude: number, longitude: number, altitude: number, time: number) => string
): string => {
  const [latitudes, longitudes, altitudes] = ["latitude", "longitude", "altitude"].map((name) =>
    columnIn(batch, name)
  )
  let text = ""
  for (let i = 0; i < batch.length; i++) {
    const [latitude, longitude] = [latitudes![i]!, longitudes![i]!]
    if (Number.isNaN(latitude + longitude)) continue
    text += textOf(latitude, longitude, altitudes?.[i] ?? Number.NaN, batch.timestamps[i]!)
  }
  return text
}

/** Coordinates to a millimetre; no exponent, which XML's decimal does not have. */
const degrees = (value: number): string => value.toFixed(8)
const metres = (value: number): string => value.toFixed(3)

export const gpx: ExchangeFormat = {
  ending: "gpx",
  contentType: "application/gpx+xml",
  needsCoordinates: true,
  head: (file) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="telemetry" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>${titleOf(file)}</name><trkseg>\n`,
  writer: () => (batch) =>
    placed(batch, (latitude, longitude, altitude, time) => {
      const ele = Number.isNaN(altitude) ? "" : `<ele>${metres(altitude)}</ele>`
      return `<trkpt lat="${degrees(latitude)}" lon="${degrees(longitude)}">${ele}<time>${formatDateTime(time)}Z</time></trkpt>\n`
    }),
  between: "</trkseg><trkseg>\n",
  foot: "</trkseg></trk></gpx>\n"
}

export const kml: ExchangeFormat = {
  ending: "kml",
  contentType: "application/vnd.google-earth.kml+xml",
  needsCoordinates: true,
  head: (file) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${titleOf(file)}</name><Placemark><LineString><coordinates>\n`,
  writer: () => (batch) =>
    placed(batch, (latitude, longitude, altitude) => {
      const height = Number.isNaN(altitude) ? "" : `,${metres(altitude)}`
      return `${degrees(longitude)},${degrees(latitude)}${height}\n`
    }),
  between: "</coordinates></LineString></Placemark><Placemark><LineString><coordinates>\n",
  foot: "</coordinates></LineString></Placemark></Document></kml>\n"
}
