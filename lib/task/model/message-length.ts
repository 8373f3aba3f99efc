import { filesPerMessageMax } from "./attachment.ts";

/** What a body without files may have; the endpoint's own limit, which it is tested against. */
const plainBytesMax = 1024 * 1024;

/** More than the digest and size of a file take, which a stored message has in place of its bytes. */
const referenceBytesMax = 128;

/** Longest message, in bytes of the form in which it is stored: what a body without files may have, and its references. */
export const messageBytesMax = plainBytesMax + filesPerMessageMax * referenceBytesMax;
