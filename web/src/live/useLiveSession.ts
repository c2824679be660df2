import { useEffect, useState } from "preact/hooks"
import { LiveSession, type WantedSession } from "./LiveSession.ts"

/** The sessions in use: overlays in one document that want the same share a connection. */
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

/** A live session for as long as the component is mounted; replaced when the options change. */
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
