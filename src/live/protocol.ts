/** The WebSocket protocol as this service speaks it. Sections are those of RFC 6455. */

/** "An endpoint is going away, such as a server going down" (7.4.1): what every subscriber gets at shutdown. */
export const CLOSE_GOING_AWAY = 1001

/** "A message that is too big for it to process" (7.4.1): ws sends it for more than MAX_MESSAGE_BYTES. */
export const CLOSE_TOO_BIG = 1009

/** The one version of the protocol; another is answered 426 with this one named (4.4). */
export const WEBSOCKET_VERSION = 13

/** What clients say is ignored; the contract lets them say this much at once. */
export const MAX_CLIENT_MESSAGE_BYTES = 1024

/** Between two pings. */
export const PING_INTERVAL_MS = 15_000

/** A client that answered none of this many pings in a row is gone. */
export const PINGS_MISSED = 2

/** A peer that has not answered a close frame by then is not going to. */
export const CLOSE_GRACE_MS = 1_000

/**
 * Bytes accepted for a socket that the kernel has not taken yet, above which the subscriber counts as behind:
 * some 300 telemetry messages, 5 s of one 60 Hz session. The kernel's own buffers (megabytes) come on top.
 */
export const BEHIND_BYTES = 64 * 1024

/** Events kept for a subscriber that is behind; a lap takes a minute, so this is an hour of one car. */
export const KEPT_EVENTS = 64

/** Keeps live telemetry messages for a client during its replay. Messages beyond the limit are read from the store again. */
export const MAX_HELD = 2_000

/** "Encountered an unexpected condition" (7.4.1): what a client missed cannot be read. It may try again. */
export const CLOSE_INTERNAL_ERROR = 1011
