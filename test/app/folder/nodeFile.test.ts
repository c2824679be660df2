import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { DataFolderUnusable } from "../../../src/domain/errors.ts"
import { nodeOf, rememberHolder } from "../../../src/app/folder/nodeFile.ts"
import { temporaryFolder } from "../../store/sqlite/folder.ts"

describe("the node of a data folder", () => {
  it.scopedLive("is chosen once, and held by another process each time", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const first = yield* nodeOf(folder)
      expect(first.described).toBe(`process ${process.pid} on ${first.described.split(" ")[3]} in ${folder}`)
      const second = yield* nodeOf(folder)
      expect(second.node).toBe(first.node)
      expect(second.holder).not.toBe(first.holder)
      // A process that never held the node has not ended as its holder.
      expect(second.ended).not.toBe(first.holder)
      yield* rememberHolder(folder, second)
      expect(yield* nodeOf(folder)).toMatchObject({ node: first.node, ended: second.holder })
      expect((yield* nodeOf(yield* temporaryFolder)).node).not.toBe(first.node)
    })
  )

  it.scopedLive("is the same in a moved folder; in a copy no holder is known to have ended", () =>
    Effect.gen(function* () {
      const parent = yield* temporaryFolder
      const folder = join(parent, "data")
      mkdirSync(folder)
      const holder = yield* nodeOf(folder)
      yield* rememberHolder(folder, holder)
      cpSync(folder, join(parent, "copy"), { recursive: true, preserveTimestamps: true })
      renameSync(folder, join(parent, "moved"))
      expect(yield* nodeOf(join(parent, "moved"))).toMatchObject({ node: holder.node, ended: holder.holder })
      expect(yield* nodeOf(join(parent, "copy"))).toMatchObject({ node: holder.node, ended: undefined })
      // From then on the copy knows it as well.
      yield* rememberHolder(join(parent, "copy"), holder)
      expect(yield* nodeOf(join(parent, "copy"))).toMatchObject({ ended: holder.holder })
    })
  )

  it.scopedLive("is neither guessed nor changed if its file is damaged", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = join(folder, "node.json")
      for (const text of ["", "{}", '{"id":"","holder":"","place":""}']) {
        writeFileSync(file, text)
        const error = yield* Effect.flip(nodeOf(folder))
        expect(error).toBeInstanceOf(DataFolderUnusable)
        expect(String(error.cause)).toContain(`${file} is damaged`)
        expect(readFileSync(file, "utf8")).toBe(text)
      }
      expect(existsSync(`${file}.new`)).toBe(false)
    })
  )
})
