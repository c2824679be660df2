/**
 * The consequences of PostgreSQL's errors by their code: SQLSTATE, whose first two characters are its class (manual,
 * appendix A), or Node's code for a certificate that it does not accept. This is the only place that judges these
 * codes.
 */

export type Consequence =
  /** Another attempt may succeed. */
  | "retry"
  /** Another attempt may succeed, on another connection: this one is thrown away. */
  | "reconnect"
  /** The server refuses the data: each attempt would fail. */
  | "refuse"
  /** An administrator has to act. A starting service ends with the server's message; a running one reports it. */
  | "end"

/** Beginnings of codes; the first that matches decides. */
const consequences: ReadonlyArray<readonly [string, Consequence]> = [
  // Connection exception.
  ["08", "reconnect"],
  // Data exception: a number out of range, a character that the encoding lacks.
  ["22", "refuse"],
  // A foreign key: two transactions may conflict (SqlDictionaries.ts). The next attempt finds the other's row.
  ["23503", "retry"],
  // Integrity constraint violation.
  ["23", "refuse"],
  // Invalid transaction state. 25006: the transaction is read-only, as on a primary that became a standby.
  ["25", "reconnect"],
  // A prepared statement that this connection does not have.
  ["26", "reconnect"],
  // Not authorised, no such database, no such schema.
  ["28", "end"],
  ["3D", "end"],
  ["3F", "end"],
  // No right to a table, no such table or column, or a table of another program in its place.
  ["42", "end"],
  // A limit of the server, such as the longest value of an index.
  ["54", "refuse"],
  // The server shuts down, starts up, or ends this connection.
  ["57P", "reconnect"],
  // A certificate for another name, from an authority that is not trusted, or not valid now.
  ["ERR_TLS_CERT", "end"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "end"],
  ["SELF_SIGNED_CERT", "end"],
  ["UNABLE_TO_", "end"],
  ["CERT_", "end"]
]

/**
 * The consequence of a code; "retry" if the table does not have it (serialization, locks, time-outs, resources, I/O).
 */
export const consequenceOf = (code: string): Consequence =>
  consequences.find(([beginning]) => code.startsWith(beginning))?.[1] ?? "retry"

/** The code of an error or of its cause; "" if neither has one. */
export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ""
  return "code" in error ? String(error.code) : codeOf(error.cause)
}

/** The code if a table to be made already exists. It belongs to another program, because ours are made once. */
export const TABLE_EXISTS = "42P07"
