import { declineReasons } from "#lib/messages/labels/decline-reasons";

export type DeclineCode = keyof typeof declineReasons;

// Safe because the object has exactly these keys, by type.
export const declineCodes = Object.keys(declineReasons) as [DeclineCode, ...DeclineCode[]];
