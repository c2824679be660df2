/**
 * The beginning of each of our programs: checks that the process can open enough files, then loads and runs the
 * program.
 */
import { tooFewDescriptors } from "../platform/descriptors.ts"
import { limitHeapGrowth } from "../platform/heapGrowth.ts"
import { guardStreams } from "../platform/standardStreams.ts"

/**
 * Runs `load`, which imports the program, if the process may open as many files as our programs need. Otherwise prints
 * the problem, and ends with status 1.
 */
export const begin = async (load: () => Promise<void>): Promise<void> => {
  guardStreams()
  limitHeapGrowth()
  const lacking = tooFewDescriptors()
  if (lacking === undefined) return load()
  console.error(lacking)
  process.exitCode = 1
}
