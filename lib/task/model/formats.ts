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

/** An ICD-10-CM code, with or without its dot. Since October 2025 its second character may be a letter (QA0). */
export function isIcd10Cm(text: string): boolean {
  return /^[A-Z](?=.?[0-9])[0-9A-Z]{2}(?:\.?[0-9A-Z]{1,4})?$/.test(text);
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

/**
 * Codes that are known to be in use. A payer may accept others, so an unlisted code is a warning and no refusal. Places
 * are those of the CMS place of service code set; types of service are those of X12 1365, of version 5010 and since; the
 * others are what X12 278 (005010X217) allows a request to contain.
 */

const listOf = (codes: string): ReadonlySet<string> => new Set(codes.split(" "));

export const placesOfService = listOf(
  "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 31 32 33 34 41 42 49 50 51 52 53 54 55 56 57 58 60 61 62 65 66 71 72 81 99",
);

export const relationships = listOf(
  "01 04 05 07 09 10 15 17 18 19 20 21 22 23 24 29 32 33 34 36 39 40 41 43 53 76 D2 G8",
);

export const quantityUnits = listOf("UN DY DA FL HH HS HR MJ MN MO VS WK F2 GR ME ML");

export const certificationTypes = listOf("1 2 3 4 5 6 I N R S");

export const serviceTypes = listOf(
  [
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 30 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99",
    "A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB AC AD AE AF AG AH AI AJ AK AL AM AN AO AP AQ AR B1 B2 B3 BA BB BC BD BE BF BG BH BI BJ BK BL BM BN BP BQ BR BS BT BU BV BW BX BY BZ C1 CA CB CC CD CE CF CG CH CI CJ CK CL CM CN CO CP CQ DG DM DS",
    "E0 E1 E2 E3 E4 E5 E6 E7 E8 E9 E10 E11 E14 E15 E16 E17 E18 E19 E20 E21 E22 E23 E25 E26 E27 E28 E33 E36 E37 E38 E39 E40 EA EB EC ED EE EF EG EH EJ F1 F2 F3 F4 F5 F6 F7 F8 GF GN GY IC MH NI ON PE PT PU RN RT SMH TC TN UC",
  ].join(" "),
);
