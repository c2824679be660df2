/** `--simulator-hosts`: addresses, networks and names, separated by commas. */
import { BlockList, isIP, isIPv6 } from "node:net"
import { Either } from "effect"

/** Whether the service may connect to a host that resolved to this address. */
export type AllowsHost = (host: string, address: string) => boolean

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")

const name = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

/** Reads the list; if the text is invalid, returns a description of a valid one. */
export const readHostList = (given: string): Either.Either<AllowsHost, string> => {
  if (given === "any") return Either.right(() => true)
  const list = new BlockList()
  const names = new Set<string>()
  for (const entry of given.split(",").map((one) => one.trim())) {
    const [address = "", bits, ...rest] = entry.split("/")
    const most = isIPv6(address) ? 128 : 32
    if (rest.length === 0 && isIP(address) > 0 && (bits === undefined || /^\d+$/.test(bits))) {
      if (Number(bits ?? most) > most) return Either.left(EXPECTED)
      list.addSubnet(address, Number(bits ?? most), familyOf(address))
    } else if (name.test(entry) && !/^[\d.]+$/.test(entry)) names.add(entry.toLowerCase())
    else return Either.left(EXPECTED)
  }
  return Either.right((host, address) => {
    const [plain = ""] = address.split("%")
    return names.has(host.toLowerCase()) || list.check(plain, familyOf(plain))
  })
}

const EXPECTED = "any, or addresses, networks and names such as 192.168.1.20,10.0.0.0/8,rig.local"
