/** An email as accounts have it: in lower case and in one Unicode form, so that what looks the same is the same. */
export function accountEmail(text: string): string {
  return text.trim().toLowerCase().normalize("NFC");
}
