import { Data, Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { WebSocketServer } from "ws"
import { InvalidValue } from "../../domain/errors.ts"
import {
  CLOSE_GRACE_MS,
  MAX_CLIENT_MESSAGE_BYTES,
  WEBSOCKET_VERSION
} from "../../live/transports/protocol.ts"
import { headOf } from "../guard/guardUpgrades.ts"

/** The path speaks only a protocol that the request did not ask to upgrade to, or another version of it. */
export class UpgradeRequired extends Data.TaggedError("UpgradeRequired")<{
  readonly protocol: string
  readonly version: number
}> {}

/** 16 bytes in base64 (RFC 6455, 4.1). */
const nonce = /^[+/0-9A-Za-z]{22}==$/

/** Names of subprotocols: tokens of HTTP, between commas (RFC 6455, 4.1; RFC 9110, 5.6.2). */
const tokens = /^[\w!#$%&'*+.^`|~-]+([ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/

const fault = (name: string, value: string | undefined, expected: string) =>
  new InvalidValue({ name, value: value ?? "nothing", expected })

/**
 * Succeeds, with the head, for a request that `ws` accepts. `ws` would answer other requests with a text of its own.
 * This check gives them the same form of answer as all errors.
 */
export const checkHandshake = (
  request: IncomingMessage
): Effect.Effect<Buffer, UpgradeRequired | InvalidValue> => {
  const { headers } = request
  const head = headOf(request)
  const version = headers["sec-websocket-version"]
  if (
    head === undefined ||
    request.method !== "GET" ||
    headers.upgrade?.toLowerCase() !== "websocket" ||
    version !== String(WEBSOCKET_VERSION)
  ) {
    return new UpgradeRequired({ protocol: "websocket", version: WEBSOCKET_VERSION })
  }
  const key = headers["sec-websocket-key"]
  if (key === undefined || !nonce.test(key)) return fault("Sec-WebSocket-Key", key, "16 bytes in base64")
  const offered = headers["sec-websocket-protocol"]
  if (offered !== undefined) {
    const names = offered.split(",").map((name) => name.trim())
    if (!tokens.test(offered) || new Set(names).size < names.length) {
      return fault("Sec-WebSocket-Protocol", offered, "a list of different subprotocol names")
    }
  }
  return Effect.succeed(head)
}

const options = {
  noServer: true,
  clientTracking: false,
  // Compression would take 2.5 times the CPU and 5 times the memory for each client (measured), and clients could not
  // share one frame.
  perMessageDeflate: false,
  maxPayload: MAX_CLIENT_MESSAGE_BYTES,
  // How long `ws` waits for the answer to a close frame. Documented by ws 8.19 and later, not yet in its types.
  closeTimeout: CLOSE_GRACE_MS
}

/** Does handshakes. It has no port and no state, so one serves the whole process and is never closed. */
export const webSockets = new WebSocketServer(options)
