/** Loaded first, makes the process one of an older Node, as far as tools/run-node.mjs looks. */
delete process.execve
