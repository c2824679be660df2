/** How a thread of ours is started, whether the program runs from its build or from its sources (tests, tsx). */

const isSource = (url: string) => url.endsWith(".ts")

/** The module `name` (`./x`, without an ending) of a thread, beside the one whose `import.meta.url` is `beside`. */
export const entryOf = (name: string, beside: string): URL =>
  new URL(`${name}${isSource(beside) ? ".ts" : ".js"}`, beside)

/**
 * Node's options for a thread of such an entry: none of this process, such as a test runner's; from sources the
 * compiler, which on Node 20 a thread does not take over from its parent.
 */
export const execArgvOf = ({ href }: URL): Array<string> =>
  isSource(href) ? ["--import", new URL("./compiler.mjs", import.meta.url).href] : []
