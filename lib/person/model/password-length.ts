/** The fewest and the most characters of a password. */
export const passwordCharactersMin = 12;
export const passwordCharactersMax = 256;
