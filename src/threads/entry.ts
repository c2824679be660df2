/** How a thread of ours is started, whether the program runs from its build or from its sources (tests, tsx). */

const fromSources = import.meta.url.endsWith(".ts")

/** The module `name` (`./x`, without an ending) of a thread, beside the one whose `import.meta.url` is `beside`. */
export const entryOf = (name: string, beside: string): URL =>
  new URL(`${name}${fromSources ? ".ts" : ".js"}`, beside)

/**
 * Node's options for the thread: none of this process, such as a test runner's; from sources the compiler, which on
 * Node 20 a thread does not take over from its parent.
 */
export const execArgv: Array<string> = fromSources
  ? ["--import", new URL("./compiler.mjs", import.meta.url).href]
  : []
