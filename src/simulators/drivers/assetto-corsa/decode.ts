/** Checks datagrams of Assetto Corsa, whose lengths distinguish them. */
import { answer, CAR_INFO_MARK, carInfo, CONNECTED, spot } from "./layout.ts"

/** Why the bytes are no packet; undefined for a packet. Floats may have any value and are not checked. */
export const problemWith = (bytes: Buffer): string | undefined => {
  switch (bytes.length) {
    case carInfo.size: {
      const mark = carInfo.read.identifier(bytes)
      return mark === CAR_INFO_MARK ? undefined : `a car info marked ${mark} instead of ${CAR_INFO_MARK}`
    }
    case answer.size: {
      const status = answer.read.identifier(bytes)
      return status === CONNECTED ? undefined : `a handshake answered with ${status} instead of ${CONNECTED}`
    }
    case spot.size:
      return undefined
    default:
      return `a datagram of ${bytes.length} bytes, where ${answer.size}, ${carInfo.size} or ${spot.size} are expected`
  }
}
