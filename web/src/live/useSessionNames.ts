/** Who drives what where in a session, for who chooses one: its number says nothing. */
import { useEffect, useState } from "preact/hooks"
import { api } from "../api.ts"
import { nameOf } from "../names.ts"
import type { Session } from "../types.ts"

/** What was not answered is asked again after so long. */
const AGAIN_MS = 2000

/** The sessions that there are of these ids, as soon as they are known. */
export const useSessions = (ids: ReadonlyArray<number>): ReadonlyMap<number, Session> => {
  const [known, setKnown] = useState<ReadonlyMap<number, Session>>(new Map())
  const [round, setRound] = useState(0)
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined
    for (const id of ids) {
      if (known.has(id)) continue
      api.session(id).then(
        (session) => setKnown((before) => new Map(before).set(id, session)),
        // One that is gone is no choice any more with the next status.
        () => (again ??= setTimeout(() => setRound(round + 1), AGAIN_MS))
      )
    }
    return () => clearTimeout(again)
  }, [ids.join(), round])
  return known
}

export const useSessionNames = (ids: ReadonlyArray<number>): ((id: number) => string) => {
  const sessions = useSessions(ids)
  return (id) => {
    const session = sessions.get(id)
    return session === undefined ? `Session ${id}` : nameOf(session)
  }
}
