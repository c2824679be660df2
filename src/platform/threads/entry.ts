/** Finds the modules of our threads, whether the program runs from its build or from its sources (tests). */

const isSource = (url: string) => url.endsWith(".ts")

/** The module `name` (`./x`, without an extension) of a thread, beside the module whose `import.meta.url` is `beside`. */
export const entryOf = (name: string, beside: string): URL =>
  new URL(`${name}${isSource(beside) ? ".ts" : ".js"}`, beside)
