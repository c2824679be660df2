/** Contract, section 2. */
export const MAX_BODY_BYTES = 1_048_576
