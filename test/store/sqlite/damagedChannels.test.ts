/** Sessions' channels whose bits have changed on the disk: never served, and reported. */
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { emptyDictionary } from "../../../src/domain/Dictionary.ts"
import { ChannelsDamaged } from "../../../src/domain/errors.ts"
import { Dictionaries } from "../../../src/store/Dictionaries.ts"
import { Sessions } from "../../../src/store/Sessions.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { verify } from "../../../src/maintenance/verify/verify.ts"
import { temporaryFolder } from "./folder.ts"

const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1.7e9 }

const dictionaryWith = (name: string) =>
  emptyDictionary.withGroups([{ name: "x_g", channels: [{ name, unit: "m", labels: { 1: "one" } }] }])
    .dictionary

it.scopedLive("a flipped bit, wherever it is, is never served, and `verify` names the sessions", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    yield* Effect.gen(function* () {
      const dictionaries = yield* Dictionaries
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient
      const ids: Array<number> = []
      for (const channel of ["x_a", "x_a", "x_b"]) {
        const { id } = yield* sessions.createSession(names, { recording: false })
        yield* dictionaries.putDictionary(id, dictionaryWith(channel))
        ids.push(id)
      }
      const [first, second, other] = ids as [number, number, number]
      expect(yield* verify("file")).toMatchObject({ dictionaries: 2, damagedChannels: [] })
      const [row] = yield* sql<{ id: number; value: string }>`SELECT d.id, value FROM dictionaries AS d
        JOIN sessions ON dictionary = d.id WHERE sessions.id = ${first}`
      const { id, value } = row!
      for (let at = 0; at < value.length; at++) {
        // In most characters it makes another one that JSON accepts.
        const changed =
          value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ 1) + value.slice(at + 1)
        yield* sql`UPDATE dictionaries SET value = ${changed} WHERE id = ${id}`
        expect(yield* Effect.flip(dictionaries.dictionary(first))).toEqual(
          new ChannelsDamaged({ sessionId: first })
        )
      }
      expect((yield* dictionaries.dictionary(other))!.groups).toEqual(dictionaryWith("x_b").groups)
      expect(yield* verify("file")).toMatchObject({ dictionaries: 2, damagedChannels: [first, second] })
    }).pipe(
      Effect.provide(
        Layer.merge(SqliteFile.layer(SqliteStore.databaseFile(folder)), SqliteStore.layer(folder))
      )
    )
  })
)
