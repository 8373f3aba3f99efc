/**
 * An NPI: ten digits beginning with 1 or 2 whose Luhn check digit holds over
 * 80840 + NPI (45 CFR 162.406; CMS NPI check digit rule).
 */
export function isNpi(text: string): boolean {
  if (!/^[12]\d{9}$/.test(text)) return false;
  const sum = [...`80840${text}`].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** A day of the calendar, YYYY-MM-DD, from 1900 to 2199. */
export function isDate(text: string): boolean {
  if (!/^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** An ICD-10-CM code, with or without its dot. */
export function isIcd10Cm(text: string): boolean {
  return /^[A-Z][0-9][0-9AB](?:\.?[0-9A-Z]{1,4})?$/.test(text);
}

export type CodeSystem = "CPT" | "HCPCS" | "ICD-10-PCS" | "NDC";

/**
 * The code system that the form of a procedure code belongs to. Undefined is accepted and shown to the reviewer as a
 * warning.
 */
export function codeSystemOf(code: string): CodeSystem | undefined {
  if (/^\d{4}[\dFTUM]$/.test(code)) return "CPT";
  if (/^[A-V]\d{4}$/.test(code)) return "HCPCS";
  if (/^[0-9A-HJ-NP-Z]{7}$/.test(code)) return "ICD-10-PCS";
  // A National Drug Code as claims write it: eleven digits, 5-4-2.
  if (/^\d{11}$|^\d{5}-\d{4}-\d{2}$/.test(code)) return "NDC";
  return undefined;
}
