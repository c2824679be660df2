/** Who drives what where in a session, for who chooses one: its number says nothing. */
import { useEffect, useState } from "preact/hooks"
import { api } from "../api.ts"
import { nameOf } from "../names.ts"
import { useInterval } from "../ui/useAnswer.ts"
import type { Session } from "../types.ts"

/** What was not answered is asked again after so long; names may change while a session runs. */
const AGAIN_MS = 5000

/** The sessions that there are of these ids, as soon as they are known. */
export const useSessions = (ids: ReadonlyArray<number>): ReadonlyMap<number, Session> => {
  const [known, setKnown] = useState<ReadonlyMap<number, Session>>(new Map())
  const [round, setRound] = useState(0)
  useInterval(() => setRound((count) => count + 1), AGAIN_MS)
  useEffect(() => {
    for (const id of ids) {
      api.session(id).then(
        (session) =>
          setKnown((before) => {
            const was = before.get(id)
            return was !== undefined && nameOf(was) === nameOf(session)
              ? before
              : new Map(before).set(id, session)
          }),
        // One that is gone is no choice any more with the next status.
        () => undefined
      )
    }
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
