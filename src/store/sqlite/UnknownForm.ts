/** A form that a later version of the program may have written; this version cannot read it. */
export class UnknownForm extends RangeError {
  constructor(of: "block" | "column", form: number) {
    super(`unknown ${of} form ${form}`)
  }
}
