import { useEffect, useState } from "preact/hooks"
import { LiveSession, type WantedSession } from "./LiveSession.ts"

/** Those in use: overlays beside each other that want the same share a connection. */
const sessions = new Map<string, { readonly session: LiveSession; users: number }>()

const take = (key: string, wanted: WantedSession) => {
  const entry = sessions.get(key) ?? { session: new LiveSession(wanted), users: 0 }
  sessions.set(key, entry)
  entry.users += 1
  const leave = () => {
    entry.users -= 1
    if (entry.users > 0) return
    sessions.delete(key)
    entry.session.close()
  }
  return { session: entry.session, leave }
}

/** A live session for as long as the component is mounted; another one when something else is wanted. */
export const useLiveSession = (wanted: WantedSession): LiveSession | undefined => {
  const [drive, setDrive] = useState<LiveSession>()
  const key = JSON.stringify(wanted)
  useEffect(() => {
    const { leave, session } = take(key, wanted)
    setDrive(session)
    return leave
  }, [key])
  return drive
}
