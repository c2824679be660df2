/** The reader of a native feed that the fan-out baselines share: `take` gets each point as the feed's JSON has it. */
import { WebSocket } from "ws"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"

export interface FeedPoint {
  readonly timestamp: number
  readonly speed: number
  readonly rpm: number
  readonly gear: number
  readonly throttle: number
  readonly brake: number
  readonly position_x: number
  readonly position_y: number
  readonly position_z: number
}

interface FeedMessage {
  readonly type: string
  readonly start_time: number
  readonly points: ReadonlyArray<FeedPoint>
}

/** The live message of one point (interface.md, section 6). */
export const liveMessage = (point: FeedPoint, zero: number) => ({
  type: "telemetry",
  data: {
    timestamp: zero + point.timestamp,
    speed: point.speed,
    rpm: point.rpm,
    gear: point.gear,
    throttle: point.throttle,
    brake: point.brake,
    position_x: point.position_x,
    position_y: point.position_y,
    position_z: point.position_z
  },
  session_id: 1
})

/** The process ends with the feed. */
export const readFeed = (url: string, take: (message: ReturnType<typeof liveMessage>) => void): void => {
  let zero = 0
  const feed = new WebSocket(url, SUBPROTOCOL, { perMessageDeflate: false })
  feed.on("open", () => feed.send(JSON.stringify({ type: "hello", app_name: "baseline", rate: 60 })))
  feed.on("close", () => process.exit())
  feed.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as FeedMessage
    if (message.type === "session") zero = message.start_time
    if (message.type === "points") for (const point of message.points) take(liveMessage(point, zero))
  })
}
