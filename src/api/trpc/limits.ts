/**
 * The maximum number of calls in one request. They run together: without a limit, one request could start any amount of
 * work.
 */
export const MAX_BATCH = 50
