/** A phone or fax number as people in the US read it, `(605) 555-0142`; any other as it was sent. */
export function phoneText(number: string): string {
  const [, area, exchange, line] = /^(?:\+?1[ .-]?)?\(?(\d{3})\)?[ .-]?(\d{3})[ .-]?(\d{4})$/.exec(number.trim()) ?? [];
  return area === undefined ? number : `(${area}) ${exchange}-${line}`;
}
