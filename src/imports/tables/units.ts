/**
 * Units of files, and how their values become values in the vocabulary's units. Case and blanks are ignored, but not
 * `m` and `M`. A unit that is not in the table converts to nothing: its channel keeps a name of the file's own.
 */

/** A unit as a multiple of its quantity's base: value x times / over. Division keeps decimals such as 19.9 exact. */
interface Unit {
  readonly quantity: string
  readonly times: number
  readonly over: number
}

const unit = (quantity: string, times: number, over = 1): Unit => ({ quantity, times, over })

/** Standard gravity, m/s2. */
export const STANDARD_GRAVITY = 9.80665

/** By their names in lower case without blanks. Temperatures have an offset, and a function of their own. */
const units: Readonly<Record<string, Unit>> = {
  "": unit("ratio", 1),
  ratio: unit("ratio", 1),
  "%": unit("ratio", 1, 100),
  "m/s": unit("speed", 1),
  "mm/s": unit("speed", 1, 1000),
  "km/h": unit("speed", 1, 3.6),
  kph: unit("speed", 1, 3.6),
  kmh: unit("speed", 1, 3.6),
  mph: unit("speed", 0.44704),
  kn: unit("speed", 1852, 3600),
  knots: unit("speed", 1852, 3600),
  "ft/s": unit("speed", 0.3048),
  pa: unit("pressure", 1),
  kpa: unit("pressure", 1000),
  bar: unit("pressure", 1e5),
  psi: unit("pressure", 6894.757293168),
  mbar: unit("pressure", 100),
  deg: unit("angle", 1),
  "°": unit("angle", 1),
  degrees: unit("angle", 1),
  // Of coordinates, where others have minutes and seconds.
  decimal: unit("angle", 1),
  rad: unit("angle", 180 / Math.PI),
  "deg/s": unit("turn", 1),
  "°/s": unit("turn", 1),
  "rad/s": unit("turn", 180 / Math.PI),
  g: unit("acceleration", 1),
  "m/s/s": unit("acceleration", 1, STANDARD_GRAVITY),
  "m/s^2": unit("acceleration", 1, STANDARD_GRAVITY),
  "m/s²": unit("acceleration", 1, STANDARD_GRAVITY),
  mm: unit("length", 1, 1000),
  m: unit("length", 1),
  meters: unit("length", 1),
  km: unit("length", 1000),
  in: unit("length", 0.0254),
  ft: unit("length", 0.3048),
  l: unit("volume", 1),
  gal: unit("volume", 3.785411784),
  nm: unit("torque", 1),
  "n*m": unit("torque", 1),
  rpm: unit("rotation", 1),
  "1/min": unit("rotation", 1),
  "revs/min": unit("rotation", 1),
  s: unit("time", 1),
  ms: unit("time", 1, 1000),
  min: unit("time", 60),
  w: unit("power", 1),
  kw: unit("power", 1000),
  j: unit("energy", 1),
  kj: unit("energy", 1000),
  mj: unit("energy", 1e6),
  kg: unit("mass", 1),
  n: unit("force", 1),
  laps: unit("laps", 1)
}

type Convert = (value: number) => number

/** To degrees Celsius. */
const toCelsius: Readonly<Record<string, Convert>> = {
  c: (value) => value,
  "°c": (value) => value,
  ".c": (value) => value,
  f: (value) => ((value - 32) * 5) / 9,
  "°f": (value) => ((value - 32) * 5) / 9,
  k: (value) => value - 273.15
}

/** `M` is no metre, and `MPa` and `MJ` are no milli. */
const keyOf = (text: string): string => (text.trim() === "M" ? "M" : text.replace(/\s/g, "").toLowerCase())

/** Whether the text is a unit of the table. */
export const isUnit = (text: string): boolean => {
  const key = keyOf(text)
  return key !== "" && (Object.hasOwn(units, key) || Object.hasOwn(toCelsius, key))
}

const same: Convert = (value) => value

/** How values in the unit `from` become values in `to`, a unit of the vocabulary; undefined if they cannot. */
export const conversion = (from: string, to: string): Convert | undefined => {
  const [given, wanted] = [keyOf(from), keyOf(to)]
  if (wanted === "°c") return toCelsius[given]
  const [ours, theirs] = [units[wanted], units[given]]
  if (ours === undefined || theirs === undefined || ours.quantity !== theirs.quantity) return undefined
  const times = theirs.times * ours.over
  const over = theirs.over * ours.times
  if (times === over) return same
  if (times % over === 0) return (value) => value * (times / over)
  if (over % times === 0) return (value) => value / (over / times)
  return (value) => (value * times) / over
}
