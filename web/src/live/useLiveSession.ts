import { useEffect, useState } from "preact/hooks"
import { LiveSession } from "./LiveSession.ts"

/** A live session for as long as the component is mounted; a new one when the arguments change. */
export const useLiveSession = (
  sessionId: number | undefined,
  rate: number,
  history: boolean
): LiveSession | undefined => {
  const [drive, setDrive] = useState<LiveSession>()
  useEffect(() => {
    const made = new LiveSession({ sessionId, rate }, { history })
    setDrive(made)
    return () => made.close()
  }, [sessionId, rate, history])
  return drive
}
