/** What a later version of the program may have written: nothing of it can be read here. */
export class UnknownForm extends RangeError {
  constructor(of: "block" | "column", form: number) {
    super(`unknown ${of} form ${form}`)
  }
}
