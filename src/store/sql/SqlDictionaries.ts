/**
 * The channels that the sessions' sources have declared. Sessions of one simulator declare the same channels, so a
 * dictionary has its own row, and a session refers to it by number. A hundred thousand sessions of 150 channels then
 * take a hundred thousand numbers.
 *
 * A dictionary's row is deleted together with the last session that refers to it, or by the change of that session's
 * reference. If another process refers to the row at that moment, the foreign key keeps it: the deletion fails with its
 * transaction, which may be retried.
 */
import { createHash } from "node:crypto"
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { channelSet, isDeclared } from "../../domain/ChannelSet.ts"
import { ChannelGroup, channelKinds, Dictionary } from "../../domain/Dictionary.ts"
import { ChannelsDamaged, SessionNotFound } from "../../domain/errors.ts"
import { channels } from "../../domain/pointChannels.ts"
import { orUnavailable, unavailable } from "./catalogFailures.ts"
import { givenId } from "./catalogRows.ts"

const StoredChannel = Schema.Struct({
  name: Schema.String,
  unit: Schema.String,
  kind: Schema.Literal(...channelKinds),
  description: Schema.String,
  labels: Schema.Record({ key: Schema.String, value: Schema.String })
})

const StoredDictionary = Schema.parseJson(
  Schema.Struct({
    /** The channels of a point, of the ten, that the source sends. */
    declared: Schema.Array(Schema.Literal(...channels)),
    groups: Schema.Array(Schema.Struct({ name: Schema.String, channels: Schema.Array(StoredChannel) }))
  })
)

const encode = Schema.encode(StoredDictionary)
const decode = Schema.decode(StoredDictionary)

const textOf = ({ groups, declared }: Dictionary) =>
  encode({
    declared: channels.filter((_, c) => isDeclared(declared, c)),
    groups: groups.map(({ channels, name }) => ({ name, channels }))
  })

const dictionaryOf = (text: string) =>
  Effect.map(
    decode(text),
    ({ groups, declared }) =>
      new Dictionary(
        declared.length === 0 ? 0 : channelSet(...channels.filter((channel) => declared.includes(channel))),
        groups.map(({ channels, name }) => new ChannelGroup(name, channels))
      )
  )

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")

interface Stored {
  readonly digest: string | null
  readonly value: string | null
}

/** Whether the row is as it was written. A missing row has neither digest nor value. */
const isWhole = (row: Stored): row is { readonly digest: string; readonly value: string } =>
  typeof row.value === "string" && digestOf(row.value) === row.digest

/** The sessions whose dictionary has changed since it was written, and the number of all dictionaries. */
export const verifyDictionaries = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const sessionIds: Array<number> = []
  let dictionaries = 0
  let after = 0
  for (;;) {
    // One at a time: there are few, of 256 KiB at most.
    const [row] = yield* sql<Stored & { readonly id: number }>`SELECT id, digest, value FROM dictionaries
      WHERE id > ${after} ORDER BY id LIMIT 1`
    if (row === undefined) break
    dictionaries++
    after = row.id
    if (isWhole(row)) continue
    const rows = yield* sql<{ id: number }>`SELECT id FROM sessions WHERE dictionary = ${row.id} ORDER BY id`
    sessionIds.push(...rows.map(({ id }) => id))
  }
  return { dictionaries, sessionIds }
})

export const make = (sql: SqlClient.SqlClient) => {
  /** Returns the number of a dictionary, which is stored once. */
  const keep = Effect.fnUntraced(function* (text: string) {
    const digest = digestOf(text)
    // An update that changes nothing: it returns the number of the existing row, and keeps other transactions from
    // deleting it until the commit.
    const [row] = yield* sql<{
      id: number
    }>`INSERT INTO dictionaries (digest, value) VALUES (${digest}, ${text})
      ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest RETURNING id`
    return Number(row!.id)
  })

  /** Deletes the row if no session refers to it. */
  const forget = (id: number) =>
    sql`DELETE FROM dictionaries WHERE id = ${id}
      AND NOT EXISTS (SELECT 1 FROM sessions WHERE dictionary = ${id})`

  return {
    /** Runs in the transaction that deletes the session's own row. */
    forget,

    dictionaries: {
      dictionary: Effect.fn("Dictionaries.dictionary")(function* (sessionId: number) {
        const [row] = yield* sql<{
          dictionary: number | null
          digest: string | null
          value: string | null
        }>`SELECT dictionary, digest, value FROM sessions
          LEFT JOIN dictionaries ON dictionaries.id = sessions.dictionary WHERE sessions.id = ${givenId(sql, sessionId)}`
        if (row === undefined) return yield* new SessionNotFound({ sessionId })
        if (row.dictionary === null) return undefined
        if (!isWhole(row)) return yield* new ChannelsDamaged({ sessionId })
        return yield* Effect.mapError(dictionaryOf(row.value), unavailable)
      }, orUnavailable),

      putDictionary: Effect.fn("Dictionaries.putDictionary")(function* (
        sessionId: number,
        dictionary: Dictionary
      ) {
        const text = yield* Effect.mapError(textOf(dictionary), unavailable)
        const put = Effect.gen(function* () {
          const id = yield* keep(text)
          const [before] = yield* sql<{ id: number | null }>`SELECT dictionary AS id FROM sessions
            WHERE id = ${sessionId}`
          const known = before?.id === undefined || before.id === null ? undefined : Number(before.id)
          if (known === id) return
          yield* sql`UPDATE sessions SET dictionary = ${id} WHERE id = ${sessionId}`
          if (known !== undefined) yield* forget(known)
          // The session is gone, and its dictionary with it.
          if (before === undefined) yield* forget(id)
        })
        yield* sql.withTransaction(put)
      }, orUnavailable)
    }
  }
}

export type SqlDictionaries = ReturnType<typeof make>
