/** Names and passwords in addresses. */

/** The error for a name or password that is not encoded as addresses require. */
export const ENCODE_CREDENTIALS = "with / ? # and @ of a name or password percent-encoded (%2F %3F %23 %40)"

/**
 * Whether one of these characters is before the last @: the address would be cut within the password, and name another
 * server.
 */
export const hasBareCredentials = (address: string): boolean => /:\/\/.*[/?#@].*@/.test(address)
