/** The text of a recording with points and nothing else. */

const session = {
  type: "session",
  circuit: "Spa",
  vehicle: "GT3",
  driver: "Anna",
  datetime: "2020-05-01T10:00:00"
}

const points = (from: number, count: number) => ({
  type: "points",
  points: Array.from({ length: count }, (_, n) => ({
    timestamp: from + n / 10,
    speed: n % 300,
    rpm: 5000 + (n % 999)
  }))
})

/** `messages` times 1000 points at 10 Hz. */
export const recordingText = (messages: number, driver = session.driver): string =>
  [{ ...session, driver }, ...Array.from({ length: messages }, (_, n) => points(n * 100, 1000))]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("")
