/** Whether a line is the test clock's own warning: on a busy machine it logs after five seconds that it stands. */
export const isClockWarning = (message: unknown): boolean => String(message).includes("A test is using time")
