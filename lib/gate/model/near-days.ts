/** Services within this many days of each other are probably one, requested twice. */
export const nearDays = 14;
