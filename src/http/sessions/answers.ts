/** What the sessions' routes answer, whichever interface asks. */
import { Clock, Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import type { NewSession, SessionFilter } from "../../domain/Session.ts"
import { Catalog } from "../../store/Catalog.ts"
import type { SessionChange } from "./api.ts"

/** A page of the sessions that match. */
export const list = Effect.fnUntraced(function* (filter: SessionFilter) {
  const { items, total } = yield* (yield* Catalog).sessions(filter)
  return { total, items, page: Math.floor(filter.offset / filter.limit), page_size: filter.limit }
})

type Wanted = Omit<NewSession, "datetime"> & { readonly datetime?: number | undefined }

/** Begins now where nobody says when. */
export const create = Effect.fnUntraced(function* (wanted: Wanted) {
  const now = (yield* Clock.currentTimeMillis) / 1000
  return yield* (yield* Catalog).createSession(
    { ...wanted, datetime: wanted.datetime ?? now },
    { recording: false }
  )
})

export const update = Effect.fnUntraced(function* (id: number, { pinned }: typeof SessionChange.Type) {
  return yield* (yield* Catalog).pinSession(id, pinned)
})

export const remove = Effect.fnUntraced(function* (id: number) {
  yield* (yield* Archive).deleteSession(id)
  return { id, deleted: true as const, message: `Session ${id}, its laps and its points are deleted` }
})
