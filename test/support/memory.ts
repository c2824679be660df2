/** Memory as a folder: what tests write there waits for no disk, and outlives a killed process as a file does. */
import { statfsSync } from "node:fs"

const MEMORY = "/dev/shm"
/** Room for the folders and servers of all tests at a time, bytes. */
const ROOM_BYTES = 2 ** 31

/** The folder; undefined on a machine that has none, or too little room in it. */
export const memoryFolder = (): string | undefined => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_BYTES ? MEMORY : undefined
  } catch {
    return undefined
  }
}
