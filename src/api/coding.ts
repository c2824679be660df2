/** Content codings that the service offers to clients that ask for one (RFC 9110, 12.5.3). */
import Negotiator from "negotiator"

/** In the service's order of preference: the smaller result first. */
export const codings = ["br", "gzip"] as const

export type Coding = (typeof codings)[number]

/**
 * Adds an option that the library's types lack: the order in which to choose among codings that the client ranks
 * equally.
 */
interface Encodings {
  readonly encodings: (
    among: ReadonlyArray<string>,
    options?: { readonly preferred: ReadonlyArray<string> }
  ) => ReadonlyArray<string>
}

/** The coding, out of those available, that `Accept-Encoding` asks for; undefined: send the content as it is. */
export const codingFor = (
  acceptEncoding: string | undefined,
  among: ReadonlyArray<Coding> = codings
): Coding | undefined => {
  if (acceptEncoding === undefined || among.length === 0) return undefined
  const negotiator: Encodings = new Negotiator({ headers: { "accept-encoding": acceptEncoding } })
  const [best] = negotiator.encodings([...among, "identity"], { preferred: among })
  return among.find((coding) => coding === best)
}
