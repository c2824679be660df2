/** A live client of a protocol other than the WebSocket: the connection's owner ends it when the service ends. */
import type { Socket } from "node:net"
import type { MessageBatch } from "../hub/MessageBatch.ts"
import type { EncodedEvent, Subscriber, SubscriptionOptions } from "../hub/Subscriber.ts"
import { type Encoding, type MessageCounts, NewestOnly } from "./NewestOnly.ts"

/** Its connection: the hub writes to it in an encoding, while `isOpen`. */
export interface StreamTo {
  readonly socket: Socket
  readonly encoding: Encoding
  readonly isOpen: () => boolean
}

export class StreamSubscriber implements Subscriber {
  readonly options: SubscriptionOptions
  readonly #messages: NewestOnly

  constructor(options: SubscriptionOptions, to: StreamTo, counts: MessageCounts) {
    this.options = options
    this.#messages = new NewestOnly({ ...to, counts })
  }

  send(batch: MessageBatch): void {
    this.#messages.send(batch)
  }

  sendEvent(event: EncodedEvent): void {
    this.#messages.sendEvent(event)
  }

  dismiss(): void {}

  end(): void {
    this.#messages.end()
  }
}
