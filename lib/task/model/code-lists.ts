/**
 * Codes that are known to be in use. A payer may accept others, so an unlisted code is a warning and no refusal. Places
 * are those of the CMS place of service code set; the others are what X12 278 (005010X217) allows a request to contain.
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
