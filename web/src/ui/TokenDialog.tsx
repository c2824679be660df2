/** Asks for the access token after the service refused a request without it. */
import { isTokenWanted, keepToken, token } from "../token.ts"
import { Dialog } from "./Dialog.tsx"

const keep = (event: SubmitEvent) => {
  event.preventDefault()
  const given = new FormData(event.currentTarget as HTMLFormElement).get("token")
  keepToken(String(given).trim())
  // This repeats the refused requests.
  location.reload()
}

export const TokenDialog = () => (
  <Dialog open={isTokenWanted.value} title="Token" close={() => (isTokenWanted.value = false)}>
    <p>
      {token() === undefined
        ? "This service requires its access token (--token)."
        : "The token that this browser remembers is wrong."}
    </p>
    <form class="form" onSubmit={keep}>
      <label class="field">
        Token
        <input name="token" type="password" autoComplete="off" required />
      </label>
      <button type="submit" class="primary">
        Save and continue
      </button>
    </form>
  </Dialog>
)
