/** Part of every result: the same version and input give the same bytes. Raised with any change of a figure. */
export const algorithmVersion = "12"
