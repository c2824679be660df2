/** Asks for the service's token when it has refused a question for want of it. */
import { isTokenWanted, keepToken, token } from "../token.ts"
import { Dialog } from "./Dialog.tsx"

const keep = (event: SubmitEvent) => {
  event.preventDefault()
  const given = new FormData(event.currentTarget as HTMLFormElement).get("token")
  keepToken(String(given).trim())
  // Whatever was refused is asked for again.
  location.reload()
}

export const TokenDialog = () => (
  <Dialog open={isTokenWanted.value} title="Token" close={() => (isTokenWanted.value = false)}>
    <p>
      {token() === undefined
        ? "This service answers only with its token (--token)."
        : "The token that this browser has kept is not that of the service."}
    </p>
    <form class="form" onSubmit={keep}>
      <label class="field">
        Token
        <input name="token" type="password" autoComplete="off" required />
      </label>
      <button type="submit" class="primary">
        Keep and go on
      </button>
    </form>
  </Dialog>
)
