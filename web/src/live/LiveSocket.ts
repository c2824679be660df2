/**
 * The WebSocket of a live feed. It reconnects a lost connection with jittered, growing pauses, for as long as the feed is used.
 *
 * A network may lose a connection without closing it: Wi-Fi, a router, a machine that slept. So the service sends heartbeats, and
 * the socket gives up a silent connection. When the page becomes visible, or the machine has a network again, it replaces a
 * connection without messages at once.
 */
import { signal } from "@preact/signals"
import { at } from "../base.ts"
import { withToken } from "../token.ts"

/** The service sends something every 15 s: this is the time of two missing heartbeats. */
const SILENT_MS = 40_000
const LOOKED_MS = 1000
const FIRST_PAUSE_MS = 400
const MAX_PAUSE_MS = 5000

interface Options {
  /** Path and query. */
  readonly address: string
  readonly read: (message: unknown) => void
  /** Whether the expected messages arrive. */
  readonly isAlive: () => boolean
}

export class LiveSocket {
  readonly link = signal<"connecting" | "open" | "lost">("connecting")
  /** How often in a row it failed to open, or was lost. */
  readonly failures = signal(0)
  readonly #options: Options
  /** When the last message came, heartbeats included. */
  #heard = 0
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #watch: ReturnType<typeof setInterval>

  constructor(options: Options) {
    this.#options = options
    this.#watch = setInterval(() => {
      if (this.link.peek() === "open" && performance.now() - this.#heard > SILENT_MS) this.#renew()
    }, LOOKED_MS)
    document.addEventListener("visibilitychange", this.#wake)
    window.addEventListener("pageshow", this.#wake)
    window.addEventListener("online", this.#wake)
    this.#open()
  }

  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#watch)
    document.removeEventListener("visibilitychange", this.#wake)
    window.removeEventListener("pageshow", this.#wake)
    window.removeEventListener("online", this.#wake)
    this.#socket?.close()
    this.#socket = undefined
  }

  #open(): void {
    const url = new URL(withToken(at(this.#options.address)), location.href)
    url.protocol = url.protocol.replace("http", "ws")
    const socket = new WebSocket(url)
    this.#socket = socket
    /** Handles an event of this socket, unless another one has replaced it. */
    const on = <Name extends keyof WebSocketEventMap>(
      name: Name,
      act: (event: WebSocketEventMap[Name]) => void
    ) => socket.addEventListener(name, (event) => this.#socket === socket && act(event))
    on("open", () => {
      this.#heard = performance.now()
      this.failures.value = 0
      this.link.value = "open"
    })
    on("message", ({ data }: MessageEvent<string>) => {
      this.#heard = performance.now()
      this.#options.read(JSON.parse(data))
    })
    on("close", () => this.#retry())
  }

  #retry(): void {
    this.link.value = "lost"
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures.peek())
    this.failures.value += 1
    this.#timer = setTimeout(() => this.#open(), pause * (0.5 + Math.random() / 2))
  }

  /** Opens a new socket in place of one that may never report its end. */
  #renew(): void {
    clearTimeout(this.#timer)
    const before = this.#socket
    this.link.value = "connecting"
    this.#open()
    before?.close()
  }

  readonly #wake = () => {
    if (document.visibilityState === "visible" && !this.#options.isAlive()) this.#renew()
  }
}
