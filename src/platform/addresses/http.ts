/** `http://…` and `https://…`: addresses that the service sends to, and its own. */
import { Either } from "effect"
import { ENCODE_CREDENTIALS, hasBareCredentials } from "./credentials.ts"

/** An HTTP address, as it was given; or a word that means "none". */
export const readHttpAddressOr =
  (word: string) =>
  (given: string): Either.Either<string, string> =>
    given === word || (/^https?:\/\//i.test(given) && URL.canParse(given) && !hasBareCredentials(given))
      ? Either.right(given)
      : Either.left(`${word}, or an address such as http://localhost:4318, ${ENCODE_CREDENTIALS}`)

/**
 * The address at which this machine can reach the service. A service that listens on all addresses is reached at the
 * local one.
 */
export const reachable = (service: string): string =>
  service.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
