/** Recordings with points and nothing else: their messages, and their text. */

export const session = {
  type: "session",
  circuit: "Spa",
  vehicle: "GT3",
  driver: "Anna",
  datetime: "2020-05-01T10:00:00"
}

/** So many points from a time on, at 10 Hz. */
export const points = (from: number, count: number) => ({
  type: "points",
  points: Array.from({ length: count }, (_, n) => ({
    timestamp: from + n / 10,
    speed: n % 300,
    rpm: 5000 + (n % 999)
  }))
})

export const textOf = (messages: ReadonlyArray<unknown>): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join("")

/** `messages` times 1000 points at 10 Hz. */
export const recordingText = (messages: number, driver = session.driver): string =>
  textOf([{ ...session, driver }, ...Array.from({ length: messages }, (_, n) => points(n * 100, 1000))])
