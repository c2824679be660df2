import { expect, it } from "vitest"
import { clientOf } from "../../src/live/transports/clientOf.ts"

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8::6", "2001:db8:0:0"],
  ["2001:db8:1:2::", "2001:db8:1:2"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::1", "0:0:0:0"],
  [undefined, ""]
])("the address %s counts as the client %s", (address, client) => expect(clientOf(address)).toBe(client))
