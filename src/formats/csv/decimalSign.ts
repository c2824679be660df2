/** The decimal sign of numbers in CSV. */
import { Stream } from "effect"

const COMMA = 44
const POINT = 46
const SEMICOLON = 59

/** Points occur only as decimal points, and commas only between fields: the names of columns have neither. */
const withCommas = (piece: Uint8Array): Uint8Array =>
  piece.map((byte) => (byte === COMMA ? SEMICOLON : byte === POINT ? COMMA : byte))

export type DecimalSign = "point" | "comma"

/** CSV as it is, or with decimal commas and with semicolons between its fields. */
export const withSign = <E, R>(
  csv: Stream.Stream<Uint8Array, E, R>,
  decimal: DecimalSign
): Stream.Stream<Uint8Array, E, R> => (decimal === "comma" ? Stream.map(csv, withCommas) : csv)
