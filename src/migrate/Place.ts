/** Where a service keeps what it has, in one word of the command line: `FOLDER` or `data=FOLDER,points=…,catalog=…`. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Either } from "effect"
import { settingsTable } from "../Settings.ts"
import { chosenStores, type StoresWanted } from "../store/chosenStores.ts"
import * as PostgresCatalog from "../store/postgres/PostgresCatalog.ts"
import * as QuestdbStore from "../store/questdb/QuestdbStore.ts"
import { spoolFile } from "../store/sqlite/SqliteSpool.ts"

const keys = ["data", "points", "catalog"] as const
type Key = (typeof keys)[number]

export const PLACE_FORM = "FOLDER or data=FOLDER,points=STORE,catalog=STORE"

const keyOf = (part: string): Key | undefined => keys.find((key) => part.startsWith(`${key}=`))

/** What is not said is as the service has it by default. */
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

/** Whether the catalogs, or the points, of two places are the same one. */
export const sameCatalog = (a: StoresWanted, b: StoresWanted): boolean =>
  a.catalog === b.catalog && (a.catalog !== "sqlite" || a.data === b.data)

export const samePoints = (a: StoresWanted, b: StoresWanted): boolean => {
  if (a.points === "sqlite" || b.points === "sqlite") return a.points === b.points && a.data === b.data
  const { host, port, prefix } = a.points
  return host === b.points.host && port === b.points.port && prefix === b.points.prefix
}

/**
 * The data folders that no service may have meanwhile: one that the target keeps something in, and where the points stay that
 * of the source, whose service must not go on with them. A service may have the source otherwise.
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

/** What is read from, with the points that wait in the folder's spool, if any. */
export const sourceStores = (place: StoresWanted) =>
  chosenStores(place, {
    catalog: PostgresCatalog.layer,
    points: (address) =>
      existsSync(spoolFile(place.data))
        ? QuestdbStore.layer(place.data, address, { writes: false })
        : QuestdbStore.server(address)
  })

/** What is written to. Nothing waits in a spool: a server that is away ends the run, which goes on with the next. */
export const targetStores = (place: StoresWanted) =>
  chosenStores(place, { catalog: PostgresCatalog.layer, points: QuestdbStore.server })
