import { expect, it } from "@effect/vitest"
import { joinNames } from "../../../src/domain/columnNames.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { decodeColumns, encodePacked } from "../../../src/store/sqlite/blockCodec.ts"
import { checksumOf, opened } from "../../../src/store/sqlite/storedBlock.ts"

const layout = ["timestamp", "fuel"]

/** A block of samples, and the checksum of the block changed by `change`. */
const blockOf = (change: (data: Uint8Array) => void) => {
  const batch = RowBatch.allocate(3, layout)
  batch.data.set([1, 2, 3, 30, 29.5, 29])
  const data = encodePacked(batch)
  change(data)
  const block = {
    session_id: 1,
    group_name: "fuel",
    names: joinNames(layout),
    first: 1,
    last: 3,
    length: 3,
    data
  }
  return { ...block, id: 1, checksum: checksumOf(block) }
}

const open = (block: Parameters<typeof opened>[1]) =>
  opened("sqlite", block, (data, columns) => decodeColumns(data, columns, columns))

const reasonOf = (block: Parameters<typeof opened>[1]): string => {
  try {
    open(block)
  } catch (cause) {
    return (cause as { readonly reason: string }).reason
  }
  throw new Error("it could be opened")
}

/** The begin of the second column, by the directory. */
const second = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset).getUint32(8, true)

it("a block that cannot be decoded or differs from the written one is damaged", () => {
  expect(open(blockOf(() => undefined)).length).toBe(3)
  const column = blockOf((data) => (data[second(data)] = 99))
  expect(reasonOf(column)).toBe("it cannot be decoded: RangeError: unknown column form 99")
  const block = blockOf((data) => (data[0] = 6))
  expect(reasonOf(block)).toBe("it cannot be decoded: RangeError: unknown block form 6")
  expect(reasonOf({ ...column, checksum: column.checksum ^ 1 })).toBe("its checksum is another")
})
