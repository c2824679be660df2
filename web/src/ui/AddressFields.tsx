/** The address of a simulator, as the fields `host` and `port` of a form. */
import type { Ref } from "preact"

export const AddressFields = ({
  host,
  port,
  portField
}: {
  host: string
  port: number
  portField?: Ref<HTMLInputElement>
}) => (
  <>
    <label class="field">
      Host
      <input name="host" required defaultValue={host} size={16} spellcheck={false} />
    </label>
    <label class="field">
      Port
      <input
        name="port"
        type="number"
        required
        min={1}
        max={65535}
        defaultValue={String(port)}
        ref={portField ?? null}
      />
    </label>
  </>
)
