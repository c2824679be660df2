/** How every catalog keeps the channels that sessions' sources declare; a part of catalogContract.ts. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { allChannels, channelSet } from "../../src/domain/ChannelSet.ts"
import { Dictionary, emptyDictionary, type GroupDeclaration } from "../../src/domain/Dictionary.ts"
import { SessionNotFound } from "../../src/domain/errors.ts"
import type { CatalogService } from "./catalogService.ts"

const session = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1_770_000_000 }

const groups: ReadonlyArray<GroupDeclaration> = [
  { name: "fuel", channels: [{ name: "fuel" }, { name: "fuel_laps" }] },
  {
    name: "f1_status",
    channels: [
      {
        name: "f1_drs_mode",
        kind: "step",
        description: 'As the "game" says',
        labels: { "1": "öffen", "0": "" }
      },
      { name: "f1_load", unit: "N" }
    ]
  }
]

const declared = (declared = channelSet("speed"), ...more: ReadonlyArray<GroupDeclaration>): Dictionary =>
  emptyDictionary.withDeclared(declared).withGroups([...groups, ...more]).dictionary

/** Plain objects: the content is compared, not the classes. */
const plain = (dictionary: Dictionary | undefined) =>
  JSON.parse(JSON.stringify(dictionary ?? null)) as unknown

type Test = <F>(title: string, body: (catalog: CatalogService) => Effect.Effect<void, F>) => void

export const catalogDictionaries = (test: Test) => {
  test("keeps the channels that a session's source declares, and none without a declaration", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.createSession(session, { recording: true })
      expect(yield* catalog.dictionary(id)).toBeUndefined()
      yield* catalog.putDictionary(id, emptyDictionary)
      expect(plain(yield* catalog.dictionary(id))).toEqual(plain(emptyDictionary))
      yield* catalog.putDictionary(id, declared())
      yield* catalog.putDictionary(id, declared())
      const kept = (yield* catalog.dictionary(id))!
      expect(plain(kept)).toEqual(plain(declared()))
      expect(kept.channel("f1_drs_mode")).toEqual({
        group: kept.group("f1_status"),
        channel: {
          name: "f1_drs_mode",
          unit: "",
          kind: "step",
          description: 'As the "game" says',
          labels: { "1": "öffen", "0": "" }
        }
      })
      expect(kept.group("fuel")!.columns).toEqual(["timestamp", "fuel", "fuel_laps"])
    }))

  test("keeps later changes and the end of sessions apart that declare the same", (catalog) =>
    Effect.gen(function* () {
      const one = yield* catalog.createSession(session, { recording: false })
      const other = yield* catalog.createSession(session, { recording: false })
      yield* catalog.putDictionary(one.id, declared())
      yield* catalog.putDictionary(other.id, declared())
      const grown = declared(allChannels, { name: "weather", channels: [{ name: "rain" }] })
      yield* catalog.putDictionary(one.id, grown)
      expect(plain(yield* catalog.dictionary(one.id))).toEqual(plain(grown))
      expect(plain(yield* catalog.dictionary(other.id))).toEqual(plain(declared()))
      yield* catalog.deleteSession(one.id)
      expect(yield* Effect.flip(catalog.dictionary(one.id))).toEqual(
        new SessionNotFound({ sessionId: one.id })
      )
      expect(plain(yield* catalog.dictionary(other.id))).toEqual(plain(declared()))
      // A session that is gone meanwhile.
      yield* catalog.putDictionary(one.id, grown)
      expect(yield* Effect.flip(catalog.dictionary(one.id))).toBeInstanceOf(SessionNotFound)
    }))
}
