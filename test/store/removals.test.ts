/** Files of sessions beside a catalog that other nodes change, or that was replaced by a backup. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { Archive } from "../../src/archive/Archive.ts"
import { AutoExport } from "../../src/formats/AutoExport.ts"
import * as RawFolder from "../../src/recording/raw/rawFolder.ts"
import { tidyFiles } from "../../src/store/removals.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { catalogService } from "../contracts/catalogService.ts"
import { temporaryFolder } from "./sqlite/folder.ts"

const DATETIME = 1_770_000_000
const drive = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: DATETIME }

const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

it.scoped(
  "a node removes its own files of sessions that any node deleted, and sets those of lost ones aside",
  () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const exports = join(data, "exports")
      const lines: Array<string> = []
      yield* Effect.gen(function* () {
        const catalog = yield* catalogService
        const ids: Array<number> = []
        for (let n = 0; n < 3; n++) ids.push((yield* catalog.createSession(drive, { recording: false })).id)
        const [kept, wanted, old] = ids as [number, number, number]
        const lost = old + 1
        for (const id of [kept, wanted, old, lost]) {
          write(RawFolder.rawFileOf(data, id), `datagrams of ${id}`)
          for (const end of ["csv", "csv.mine"]) write(join(exports, `session-${id}.${end}`), "")
        }
        // As another node does it, which has other files.
        yield* catalog.deleteSession(wanted)
        yield* catalog.deleteRemovable({ id: old, ended: DATETIME })
        const { tidy } = yield* AutoExport
        // A second time changes nothing.
        for (let n = 0; n < 2; n++) {
          yield* tidyFiles
          yield* tidy
          const raw = readdirSync(join(data, "raw")).toSorted()
          expect(raw).toEqual([
            `${kept}.ndjson.gz`,
            expect.stringMatching(new RegExp(`^lost-${lost}-20\\d\\d-[-0-9TZ.]+\\.ndjson\\.gz$`))
          ])
          expect(readFileSync(join(data, "raw", raw[1]!), "utf8")).toBe(`datagrams of ${lost}`)
          // What a user deletes leaves its export.
          expect(readdirSync(exports).toSorted()).toEqual(
            [kept, wanted, old, lost]
              .flatMap((id) =>
                id === old ? [`session-${id}.csv.mine`] : [`session-${id}.csv`, `session-${id}.csv.mine`]
              )
              .toSorted()
          )
        }
        expect(lines).toEqual([
          expect.stringMatching(
            `^The catalog has no session ${lost}, as after a backup was restored: its raw datagrams are now .*lost-${lost}-`
          )
        ])
      }).pipe(
        Effect.provide(
          AutoExport.layer(exports).pipe(
            Layer.provide(Layer.provide(Archive.layer, AnalysisWorkers.layer)),
            Layer.provideMerge(SqliteStore.layer(data)),
            Layer.provideMerge(RawFolder.layer(data)),
            Layer.provide(NodeContext.layer),
            Layer.merge(
              Logger.replace(
                Logger.defaultLogger,
                Logger.make(({ logLevel, message }) => {
                  if (logLevel.label === "WARN") lines.push(String(message))
                })
              )
            )
          )
        )
      )
    })
)
