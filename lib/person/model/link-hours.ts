/** How many hours a link is valid to accept an invitation or to choose a password. */
export const linkHours = 72;
