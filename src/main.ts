#!/usr/bin/env node
/** Where the program begins. From Node 22 on it keeps what the engine made of its modules, and starts the sooner for it. */
import * as modules from "node:module"

const { enableCompileCache } = modules as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

// Loaded afterwards, or it would be compiled before.
const { run } = await import("./commands.ts")
run(process.argv.slice(2))
