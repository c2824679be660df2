/** The parts of the WebSocket protocol that this service uses. Sections are those of RFC 6455. */

/** "An endpoint is going away, such as a server going down" (7.4.1): every subscriber gets this at shutdown. */
export const CLOSE_GOING_AWAY = 1001

/** "A message that is too big for it to process" (7.4.1): ws sends it for more than MAX_MESSAGE_BYTES. */
export const CLOSE_TOO_BIG = 1009

/** The one version of the protocol. A request for another is answered 426, which names this one (4.4). */
export const WEBSOCKET_VERSION = 13

/** Messages of clients are ignored; the contract allows this many bytes in one. */
export const MAX_CLIENT_MESSAGE_BYTES = 1024

/** The time between two pings. */
export const PING_INTERVAL_MS = 15_000

/** A client that answered none of this many pings in a row is gone. */
export const PINGS_MISSED = 2

/** A peer that has not answered a close frame within this time will not answer. */
export const CLOSE_GRACE_MS = 1_000

/**
 * A subscriber counts as behind if its socket has accepted more bytes than this that the kernel has not taken yet: some 300
 * telemetry messages, 5 s of one 60 Hz session. The kernel's own buffers (megabytes) come on top.
 */
export const BEHIND_BYTES = 64 * 1024

/** Events kept for a subscriber that is behind; a lap takes a minute, so this is an hour of one car. */
export const KEPT_EVENTS = 64

/** Live telemetry messages kept for a client during its replay. Messages beyond the limit are read from the store again. */
export const MAX_HELD = 2_000

/** "Encountered an unexpected condition" (7.4.1): the points that a client missed cannot be read. It may try again. */
export const CLOSE_INTERNAL_ERROR = 1011
