/** Longest path that a reply repeats, in UTF-16 code units; the names in it are the sender's and may be of any length. */
export const pathCharsMax = 200;

/** A JSON pointer as a reply repeats it: one that is longer is cut, and then ends in "…". */
export function shortPath(path: string): string {
  // Without the mark a reader would look for a member of just this name.
  return path.length <= pathCharsMax ? path : `${beginning(path)}…`;
}

/** The longest beginning that ends in no half of a surrogate pair and in no half of an escape of RFC 6901. */
function beginning(path: string): string {
  return path.slice(0, pathCharsMax).replace(/[\ud800-\udbff~]$/, "");
}
