/** Where an agent wants changes of a task told, and what it wants to see in each delivery. */
export type RequestedWebhook = { readonly url: string; readonly token?: string | undefined };
