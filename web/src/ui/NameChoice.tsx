/** A choice of a circuit or a vehicle, kept in the address. A change goes back to the first page of results. */
import { nameText } from "../names.ts"
import { go, place, withQuery } from "../router.ts"

export const NameChoice = ({
  name,
  label,
  values
}: {
  /** The parameter of the address. */
  name: string
  label: string
  values: ReadonlyArray<string>
}) => (
  <label class="field">
    {label}
    <select
      value={place.value.query.get(name) ?? ""}
      onChange={(event) => go(withQuery({ [name]: event.currentTarget.value, page: undefined }), "replace")}
    >
      <option value="">all</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {nameText(value)}
        </option>
      ))}
    </select>
  </label>
)
