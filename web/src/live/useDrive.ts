import { useEffect, useState } from "preact/hooks"
import { Drive } from "./Drive.ts"

/** A drive for as long as the component is there; a new one for other wishes. */
export const useDrive = (
  sessionId: number | undefined,
  rate: number,
  history: boolean
): Drive | undefined => {
  const [drive, setDrive] = useState<Drive>()
  useEffect(() => {
    const made = new Drive({ sessionId, rate }, { history })
    setDrive(made)
    return () => made.close()
  }, [sessionId, rate, history])
  return drive
}
