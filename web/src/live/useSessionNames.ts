/** Names of sessions for a choice: circuit, vehicle and driver, because a number alone means nothing to a user. */
import { useEffect, useState } from "preact/hooks"
import { api } from "../api.ts"
import { nameOf } from "../names.ts"
import { useInterval } from "../ui/useAnswer.ts"
import type { Session } from "../types.ts"

/** Sessions are loaded again after this time, because their names may change. */
const AGAIN_MS = 5000

/** The existing sessions with these ids, once they are loaded. */
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
        // A deleted session is no longer a choice after the next status.
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
