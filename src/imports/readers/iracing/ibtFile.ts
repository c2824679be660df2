/** The layout of iRacing's `.ibt` files (formats.md, 3.1): header, variables, session text, and the place of the records. */
import { type SourceFile, UnreadableFile } from "../../FileReader.ts"

const HEADER_BYTES = 112
const SUB_HEADER_BYTES = 32
const VARIABLE_BYTES = 144
const MAX_VARIABLES = 4096
const MAX_RECORD_BYTES = 1 << 20
const MAX_TEXT_BYTES = 8 << 20
const MAX_RATE_HZ = 360
const MAX_VALUES = 1024

const variableTypes = ["char", "bool", "int", "bits", "float", "double"] as const
type VariableType = (typeof variableTypes)[number]
/** Bytes of a value, by type. */
const bytesOf: Readonly<Record<VariableType, number>> = {
  char: 1,
  bool: 1,
  int: 4,
  bits: 4,
  float: 4,
  double: 8
}

export interface Variable {
  readonly name: string
  readonly description: string
  readonly unit: string
  readonly type: VariableType
  /** Where its value stands in a record, bytes. Records have any length, so values are unaligned. */
  readonly offset: number
  /** More than one: an array. */
  readonly count: number
  /** The array has values of several times within the record. */
  readonly isOverTime: boolean
}

export interface IbtFile {
  /** Hz. */
  readonly rate: number
  readonly variables: ReadonlyArray<Variable>
  /** The session's text, which looks like YAML. */
  readonly text: string
  /** The number of whole records, and their length and place, bytes. */
  readonly records: number
  readonly recordBytes: number
  readonly at: number
  /** The header counts more records than the file has. */
  readonly isCut: boolean
  /** By the header, epoch seconds. It does not say whether the session or the file began then. */
  readonly start: number
}

const windows1252 = new TextDecoder("windows-1252")

const textAt = (bytes: Uint8Array, from: number, length: number): string => {
  const end = bytes.subarray(from, from + length).indexOf(0)
  return windows1252.decode(bytes.subarray(from, end < 0 ? from + length : from + end)).trim()
}

/** Whether these first bytes are a file's; a copy of the shared memory is one, too, and is refused by name. */
export const isIbt = (head: Uint8Array, size: number): boolean => {
  if (head.length < HEADER_BYTES + SUB_HEADER_BYTES) return false
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const [version, rate] = [view.getInt32(0, true), view.getInt32(8, true)]
  const [variables, list] = [view.getInt32(24, true), view.getInt32(28, true)]
  return (
    version >= 1 &&
    version <= 3 &&
    rate >= 1 &&
    rate <= MAX_RATE_HZ &&
    variables >= 1 &&
    variables <= MAX_VARIABLES &&
    list >= HEADER_BYTES &&
    (view.getInt32(32, true) !== 1 || list + variables * VARIABLE_BYTES <= size)
  )
}

const variableAt = (list: Uint8Array, view: DataView, at: number, recordBytes: number): Variable => {
  const name = textAt(list, at + 16, 32)
  const type = variableTypes[view.getInt32(at, true)]
  const offset = view.getInt32(at + 4, true)
  const count = view.getInt32(at + 8, true)
  const isWithin =
    type !== undefined &&
    count >= 1 &&
    count <= MAX_VALUES &&
    offset >= 0 &&
    offset + count * bytesOf[type] <= recordBytes
  if (!isWithin) throw new UnreadableFile(`The variable ${name} is outside of its record`)
  return {
    name,
    description: textAt(list, at + 48, 64),
    unit: textAt(list, at + 112, 32),
    type,
    offset,
    count,
    isOverTime: list[at + 12] !== 0
  }
}

/** Throws UnreadableFile if the header is damaged. */
export const openIbt = (file: SourceFile): IbtFile => {
  const head = file.bytes(0, HEADER_BYTES + SUB_HEADER_BYTES)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const i32 = (at: number) => view.getInt32(at, true)
  const [textBytes, textStart, count, list, buffers, recordBytes, at] = [16, 20, 24, 28, 32, 36, 52].map(
    i32
  ) as [number, number, number, number, number, number, number]
  if (buffers !== 1) {
    throw new UnreadableFile("It is a copy of iRacing's shared memory, and not a file that iRacing recorded")
  }
  const isWithin = (from: number, length: number) =>
    from >= HEADER_BYTES && length >= 0 && from + length <= file.size
  if (recordBytes < 1 || recordBytes > MAX_RECORD_BYTES) {
    throw new UnreadableFile(`Its header is damaged: records of ${recordBytes} bytes`)
  }
  if (!isWithin(list, count * VARIABLE_BYTES)) {
    throw new UnreadableFile("Its header is damaged: the list of variables is outside of the file")
  }
  if (textBytes > MAX_TEXT_BYTES || !isWithin(textStart, textBytes)) {
    throw new UnreadableFile("Its header is damaged: the session's text is outside of the file")
  }
  if (!isWithin(at, 0)) throw new UnreadableFile("Its header is damaged: the records are outside of the file")
  const counted = i32(HEADER_BYTES + 28)
  const whole = Math.floor((file.size - at) / recordBytes)
  const bytes = file.bytes(list, count * VARIABLE_BYTES)
  const variables = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = file.bytes(textStart, textBytes)
  return {
    rate: i32(8),
    variables: Array.from({ length: count }, (_, v) =>
      variableAt(bytes, variables, v * VARIABLE_BYTES, recordBytes)
    ),
    text: textAt(text, 0, text.length),
    // A game that crashed has not counted its records.
    records: counted > 0 ? Math.min(counted, whole) : whole,
    recordBytes,
    at,
    isCut: counted > whole,
    start: Number(view.getBigInt64(HEADER_BYTES, true))
  }
}

/**
 * Reads a variable's values of `length` records into `column`, from the index `from` on. `view`: the records, each
 * `recordBytes` long. `element`: the index in an array.
 */
export const readColumn = (
  { offset, type }: Variable,
  view: DataView,
  recordBytes: number,
  column: Float64Array,
  from: number,
  length: number,
  element = 0
): void => {
  let at = offset + element * bytesOf[type]
  const end = from + length
  switch (type) {
    case "float":
      for (let i = from; i < end; i++, at += recordBytes) column[i] = view.getFloat32(at, true)
      return
    case "double":
      for (let i = from; i < end; i++, at += recordBytes) column[i] = view.getFloat64(at, true)
      return
    case "int":
      for (let i = from; i < end; i++, at += recordBytes) column[i] = view.getInt32(at, true)
      return
    case "bits":
      for (let i = from; i < end; i++, at += recordBytes) column[i] = view.getUint32(at, true)
      return
    default:
      for (let i = from; i < end; i++, at += recordBytes) column[i] = view.getUint8(at)
  }
}
