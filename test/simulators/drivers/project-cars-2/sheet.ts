/** The fields of Project CARS 2's packets as the sheet has them, read from its text. */
import { readFileSync } from "node:fs"
import { sharedFolder } from "../../../support/sharedData.ts"

/** `type`: without the number of elements; `text64` for `char[64]`. */
export interface SheetField {
  readonly name: string
  readonly type: string
  readonly offset: number
}

const sizes: Readonly<Record<string, number>> = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, f32: 4 }

/** The text below the heading of a section. */
const section = (number: number): string => {
  const text = readFileSync(sharedFolder("protocols/project-cars2-ams2-udp.md"), "utf8")
  const found = text.split(/^## /m).find((one) => one.startsWith(`${number}.`))!
  return found.slice(found.indexOf("\n"))
}

/** A row of section 3, whose offsets and names may be several, and whose type may be that of an array. */
const fieldsInRow = ([offsets, type, names]: ReadonlyArray<string>): ReadonlyArray<SheetField> => {
  const [, one, first = "1", second] = /^(\w+)(?:\[(\d)\])?(?:\[(\d+)\])?$/.exec(type!)!
  const each = names!.split(/[,/]/)
  return offsets!.split(/[,/]/).flatMap((offset, n) =>
    Array.from({ length: Number(first) }, (_, element) => ({
      name: (each[n] ?? each[0]!).trim(),
      type: second === undefined ? one! : `text${second}`,
      offset: Number(offset) + element * Number(second ?? sizes[one!])
    }))
  )
}

/** Telemetry: the table of section 3. */
export const sheetTelemetry = (): ReadonlyArray<SheetField> =>
  section(3)
    .split("\n")
    .filter((line) => /^\| \d/.test(line))
    .flatMap((line) =>
      fieldsInRow(
        line
          .replaceAll("*", "")
          .split("|")
          .slice(1, 4)
          .map((cell) => cell.trim())
      )
    )

/** The fields that a part of a section lists: "u8 sector @15", "u8 sectors @20/24". Of an array it has the first. */
export const sheetFields = (number: number, part = 0): ReadonlyArray<SheetField> => {
  const text = section(number)
    .replaceAll("*", "")
    .split(/Participant \(32 B\)|from @1[26]:/)[part]!
  const fields: Array<SheetField> = []
  let type = ""
  const pattern =
    /(?:\b(u8|i8|u16|i16|u32|f32|char)(?:\[(\d+)\])?(?: x 16)? )?([A-Za-z][^,@;.:()]*?) @(\d+(?:\/\d+)*)/g
  for (const [, one, count, name, offsets] of text.matchAll(pattern)) {
    if (name!.endsWith("from")) continue
    if (one !== undefined) type = one === "char" ? `text${count}` : one
    for (const offset of offsets!.split("/")) fields.push({ name: name!, type, offset: Number(offset) })
  }
  return fields
}
