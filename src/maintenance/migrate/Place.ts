/**
 * The places where a service keeps its data, as one argument of the command line: `FOLDER` or
 * `data=FOLDER,points=…,catalog=…`.
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Either, Layer } from "effect"
import { settingsTable } from "../../app/Settings.ts"
import { chosenStores, type StoresWanted } from "../../store/chosenStores.ts"
import * as PostgresCatalog from "../../store/postgres/PostgresCatalog.ts"
import * as QuestdbStore from "../../store/questdb/QuestdbStore.ts"
import { SchemaUse } from "../../store/sql/schemaVersions.ts"
import { spoolFile } from "../../store/sqlite/SqliteSpool.ts"
import { databaseFile } from "../../store/sqlite/SqliteStore.ts"

const keys = ["data", "points", "catalog"] as const
type Key = (typeof keys)[number]

export const PLACE_FORM = "FOLDER or data=FOLDER,points=STORE,catalog=STORE"

const keyOf = (part: string): Key | undefined => keys.find((key) => part.startsWith(`${key}=`))

/** Reads a place. Parts that are left out have the service's defaults. */
export const readPlace = (text: string): Either.Either<StoresWanted, string> =>
  Either.gen(function* () {
    const said: Partial<Record<Key, string>> = {}
    for (const part of text.split(",")) {
      const key = keyOf(part)
      const name = key ?? "data"
      const value = key === undefined ? part : part.slice(key.length + 1)
      if (value === "" || said[name] !== undefined) return yield* Either.left(`of the form ${PLACE_FORM}`)
      said[name] = value
    }
    const read = <A>(key: Key, one: (given: string) => Either.Either<A, string>) =>
      Either.mapLeft(one(said[key] ?? settingsTable[key].fallback), (form) => `${PLACE_FORM}, ${key} ${form}`)
    return {
      data: resolve(yield* read("data", settingsTable.data.read)),
      points: yield* read("points", settingsTable.points.read),
      catalog: yield* read("catalog", settingsTable.catalog.read)
    }
  })

/** Whether two places have the same catalog, or the same points. */
export const sameCatalog = (a: StoresWanted, b: StoresWanted): boolean =>
  a.catalog === b.catalog && (a.catalog !== "sqlite" || a.data === b.data)

export const samePoints = (a: StoresWanted, b: StoresWanted): boolean => {
  if (a.points === "sqlite" || b.points === "sqlite") return a.points === b.points && a.data === b.data
  const { host, port, prefix } = a.points
  return host === b.points.host && port === b.points.port && prefix === b.points.prefix
}

/** The file that is to be read but does not exist; undefined if nothing is missing. */
export const missingFile = ({ catalog, data, points }: StoresWanted): string | undefined => {
  const file = databaseFile(data)
  return (catalog === "sqlite" || points === "sqlite") && !existsSync(file) ? file : undefined
}

/**
 * The data folders that no service may use during the migration: the target's, if the target keeps something in it; and
 * the source's, if the points stay, because its service must not go on using them. Otherwise a service may keep using
 * the source.
 */
export const changedFolders = ({
  from,
  to
}: {
  readonly from: StoresWanted
  readonly to: StoresWanted
}): ReadonlyArray<string> => {
  const written = (to.catalog === "sqlite" && !sameCatalog(from, to)) || to.points === "sqlite"
  const left = samePoints(from, to) && existsSync(from.data)
  return [...new Set([...(written ? [to.data] : []), ...(left ? [from.data] : [])])]
}

/** The stores to read, with the points that wait in the folder's spool, if any. */
export const sourceStores = (place: StoresWanted) =>
  chosenStores(place, {
    catalog: PostgresCatalog.layer,
    points: (address) =>
      existsSync(spoolFile(place.data))
        ? QuestdbStore.layer(place.data, address, { writes: false })
        : QuestdbStore.server(address)
  }).pipe(Layer.provide(Layer.succeed(SchemaUse, "read")))

/** The stores to write to, without a spool: if a server fails, the run ends, and the next run goes on. */
export const targetStores = (place: StoresWanted) =>
  chosenStores(place, { catalog: PostgresCatalog.layer, points: QuestdbStore.server })
