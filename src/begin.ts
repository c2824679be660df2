/** How every program of ours begins: it checks what it needs of the process, then loads and runs what it is. */
import * as modules from "node:module"
import { tooFewDescriptors } from "./descriptors.ts"
import { keepYoungHeapSmall } from "./youngHeap.ts"

/**
 * Runs `load` where the process may open as many files as programs of ours take; else says so, and ends with status 1. `load`
 * imports the program. From Node 22 on the engine keeps what it made of the modules imported then, and the next start is
 * sooner.
 */
export const begin = async (load: () => Promise<void>): Promise<void> => {
  const { enableCompileCache } = modules as { readonly enableCompileCache?: () => unknown }
  enableCompileCache?.()
  keepYoungHeapSmall()
  const lacking = tooFewDescriptors()
  if (lacking === undefined) return load()
  console.error(lacking)
  process.exitCode = 1
}
