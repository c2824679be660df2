/**
 * Server-sent events (WHATWG HTML, 9.2) over fetch, for Node, which has no EventSource of its own. Like an EventSource,
 * it connects again after a connection has ended, and continues from the last event's id. An answer that is not an
 * event stream ends it.
 */

/** The pause before it connects again, if the server gives none. */
const RETRY_MS = 1000

const CONNECTING = 0
const OPEN = 1
const CLOSED = 2

interface ServerEvent {
  readonly type: string
  readonly data: string
  readonly lastEventId: string
}

/** Parses an event stream's text, which comes in pieces, into events. */
export class EventParser {
  /** The id of the last complete event, even if that had no data. */
  lastEventId = ""
  retry = RETRY_MS
  #text = ""
  #type = ""
  #id: string | undefined
  #data: Array<string> = []

  /** To be called for a new connection: discards an incomplete event. */
  restart(): void {
    this.#text = ""
    this.#clear()
  }

  read(piece: string): ReadonlyArray<ServerEvent> {
    // A CR at the end of the text may be half of a CR LF.
    const lines = (this.#text + piece).split(/\r\n|\n|\r(?!$)/)
    this.#text = lines.pop()!
    return lines.flatMap((line) => (line === "" ? this.#dispatch() : this.#field(line)))
  }

  #field(line: string): [] {
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
    if (name === "event") this.#type = value
    else if (name === "data") this.#data.push(value)
    else if (name === "id" && !value.includes("\0")) this.#id = value
    else if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value)
    return []
  }

  #dispatch(): ReadonlyArray<ServerEvent> {
    this.lastEventId = this.#id ?? this.lastEventId
    const event = {
      type: this.#type || "message",
      data: this.#data.join("\n"),
      lastEventId: this.lastEventId
    }
    const hasData = this.#data.length > 0
    this.#clear()
    return hasData ? [event] : []
  }

  #clear(): void {
    this.#type = ""
    this.#id = undefined
    this.#data = []
  }
}

export class FetchEventSource extends EventTarget {
  readonly CONNECTING = CONNECTING
  readonly OPEN = OPEN
  readonly CLOSED = CLOSED
  readonly url: string
  #state = CONNECTING
  readonly #closing = new AbortController()
  readonly #parser = new EventParser()

  constructor(url: string) {
    super()
    this.url = url
    void this.#run()
  }

  get readyState(): number {
    return this.#state
  }

  close(): void {
    this.#state = CLOSED
    this.#closing.abort()
  }

  async #run(): Promise<void> {
    while (this.#state !== CLOSED) {
      try {
        await this.#connection()
      } catch {
        // The server was not reached, or the connection was lost: both become an error event, below.
      }
      if (this.#state === CLOSED) return
      this.#state = CONNECTING
      this.dispatchEvent(new Event("error"))
      await this.#pause()
    }
  }

  /** One connection, from connect to end. */
  async #connection(): Promise<void> {
    const { lastEventId } = this.#parser
    const response = await fetch(this.url, {
      headers: {
        accept: "text/event-stream",
        ...(lastEventId === "" ? {} : { "last-event-id": lastEventId })
      },
      signal: this.#closing.signal
    })
    if (response.status !== 200 || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await response.body?.cancel()
      this.close()
      this.dispatchEvent(new Event("error"))
      return
    }
    this.#state = OPEN
    this.dispatchEvent(new Event("open"))
    this.#parser.restart()
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      for (const { type, ...event } of this.#parser.read(text)) {
        if (this.readyState === CLOSED) return
        this.dispatchEvent(new MessageEvent(type, event))
      }
    }
  }

  #pause(): Promise<void> {
    const { signal } = this.#closing
    return new Promise((done) => {
      const timer = setTimeout(done, this.#parser.retry)
      const stop = () => {
        clearTimeout(timer)
        done()
      }
      signal.addEventListener("abort", stop, { once: true })
    })
  }
}
