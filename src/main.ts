#!/usr/bin/env node
/** Where the program begins. From Node 22 on it keeps what the engine made of its modules, and starts the sooner for it. */
import * as modules from "node:module"
import { tooFewDescriptors } from "./descriptors.ts"

const { enableCompileCache } = modules as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

const lacking = tooFewDescriptors()
if (lacking === undefined) {
  // Loaded afterwards, or it would be compiled before.
  const { run } = await import("./commands.ts")
  run(process.argv.slice(2))
} else {
  console.error(lacking)
  process.exitCode = 1
}
