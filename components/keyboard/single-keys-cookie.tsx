/** The cookie that says that single characters are no shortcuts for this reader (WCAG 2.1.4). */
export const singleKeysCookie = "single-keys";
