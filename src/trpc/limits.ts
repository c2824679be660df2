/** Calls in one request. They run at once: more of them would be a way to ask for any amount of work at a time. */
export const MAX_BATCH = 50
