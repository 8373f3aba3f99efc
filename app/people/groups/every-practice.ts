/** In place of a practice's id in the form, no practice's own. */
export const everyPractice = "*";
