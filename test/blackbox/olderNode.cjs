/** Loaded first: makes the process look like an older Node to tools/run-node.mjs. */
delete process.execve
