/** On a busy machine the test's clock logs, after five seconds, that it stands: no line of what is tested. */
export const isClockWarning = (message: unknown): boolean =>
  String(message).includes("A test is using time")
