/** How our threads are started, whether the program runs from its build or from its sources (tests, tsx). */

const isSource = (url: string) => url.endsWith(".ts")

/** The module `name` (`./x`, without an extension) of a thread, beside the module whose `import.meta.url` is `beside`. */
export const entryOf = (name: string, beside: string): URL =>
  new URL(`${name}${isSource(beside) ? ".ts" : ".js"}`, beside)

/**
 * Node's options for a thread of such an entry. It gets none of this process's options, such as a test runner's. From sources
 * it gets the compiler, which a thread does not inherit from its parent on Node 20.
 */
export const execArgvOf = ({ href }: URL): Array<string> =>
  isSource(href) ? ["--import", new URL("./compiler.mjs", import.meta.url).href] : []
