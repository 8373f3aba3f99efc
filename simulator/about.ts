/** Whom and what a request or a notification is about, as far as it can be read. */
export type About = { readonly memberId?: string | undefined; readonly trace?: string | undefined };
