/** CSV as RFC 4180 has it, read strictly: records end in CRLF, all have as many fields, quotes only around fields. */
export const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const records: Array<Array<string>> = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  let record: Array<string> = []
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const match = field.exec(text)
    if (match === null) throw new Error(`no CSV from ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    record.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] === ",") continue
    records.push(record)
    record = []
  }
  if (record.length > 0) throw new Error("the last record does not end")
  if (records.some(({ length }) => length !== records[0]!.length))
    throw new Error("records of several lengths")
  return records
}
