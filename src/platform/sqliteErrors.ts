/**
 * The codes in errors of node:sqlite: those of SQLite's result codes (sqlite.org/rescode.html) that the program
 * distinguishes.
 */
export const BUSY = 5
export const READONLY = 8
export const TOOBIG = 18
export const CONSTRAINT = 19
export const MISMATCH = 20
export const RANGE = 25
export const NOTADB = 26
/** The extended code of a broken foreign key; other broken constraints have others. */
export const CONSTRAINT_FOREIGNKEY = 787

/** The extended code of an error or of its cause; undefined if neither is an error of node:sqlite. */
export const extendedCodeOf = (error: unknown): number | undefined => {
  if (!(error instanceof Error)) return undefined
  return "errcode" in error ? Number(error.errcode) : extendedCodeOf(error.cause)
}

/** The primary code, which is the low byte of the extended one. */
export const resultCodeOf = (error: unknown): number | undefined => {
  const code = extendedCodeOf(error)
  return code === undefined ? undefined : code & 0xff
}
