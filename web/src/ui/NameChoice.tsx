/** A circuit or a vehicle to look for, which the address carries; the first page of what is found is shown. */
import { nameText } from "../names.ts"
import { go, place, withQuery } from "../router.ts"

export const NameChoice = ({
  name,
  label,
  values
}: {
  /** The parameter. */
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
