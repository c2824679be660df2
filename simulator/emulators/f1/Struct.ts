/** Packed, little-endian structures as tables of fields in their order. */

/** A number type, so many bytes of text filled up with zeros, or so many bytes that are left as they are. */
export type Type = "u8" | "i8" | "u16" | "i16" | "u32" | "f32" | `text${number}` | number

export type Fields = ReadonlyArray<readonly [name: string, type: Type]>
export type FieldValues = Readonly<Record<string, number | string>>

type Write = (bytes: Buffer, value: number | string, at: number) => void

const sizes = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, f32: 4 } as const
type NumberType = keyof typeof sizes

const numbers: Readonly<Record<NumberType, (bytes: Buffer, value: number, at: number) => void>> = {
  u8: (bytes, value, at) => bytes.writeUInt8(value, at),
  i8: (bytes, value, at) => bytes.writeInt8(value, at),
  u16: (bytes, value, at) => bytes.writeUInt16LE(value, at),
  i16: (bytes, value, at) => bytes.writeInt16LE(value, at),
  u32: (bytes, value, at) => bytes.writeUInt32LE(value, at),
  f32: (bytes, value, at) => bytes.writeFloatLE(value, at)
}

const isNumber = (type: Type): type is NumberType => typeof type === "string" && type in sizes

const sizeOf = (type: Type): number =>
  typeof type === "number" ? type : isNumber(type) ? sizes[type] : Number(type.slice("text".length))

/** What is too long ends in three dots, as the games do it, and in a whole character. */
const shortened = (value: string, room: number): Buffer => {
  const whole = Buffer.from(value)
  if (whole.length <= room) return whole
  const characters = [...value]
  while (Buffer.byteLength(`${characters.join("")}…`) > room) characters.pop()
  return Buffer.from(`${characters.join("")}…`)
}

const writerOf = (type: Type): Write => {
  if (isNumber(type)) {
    const write = numbers[type]
    return (bytes, value, at) => write(bytes, Number(value), at)
  }
  const room = sizeOf(type)
  return (bytes, value, at) => {
    bytes.fill(0, at, at + room)
    shortened(String(value), room).copy(bytes, at)
  }
}

export class Struct {
  readonly size: number
  readonly #fields = new Map<string, { readonly at: number; readonly write: Write }>()

  constructor(fields: Fields) {
    let at = 0
    for (const [name, type] of fields) {
      this.#fields.set(name, { at, write: writerOf(type) })
      at += sizeOf(type)
    }
    this.size = at
  }

  /** Writes the fields that there are values for; values of other formats' fields are left out. */
  write(bytes: Buffer, at: number, values: FieldValues): void {
    for (const name in values) {
      const field = this.#fields.get(name)
      if (field !== undefined) field.write(bytes, values[name]!, at + field.at)
    }
  }
}
