export const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`
