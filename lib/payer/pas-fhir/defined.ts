/** The same object without its undefined members, which FHIR's JSON has no place for. */
export function defined<Kind extends object>(members: { [Key in keyof Kind]: Kind[Key] | undefined }): Kind {
  // Safe because only members that the type lets be absent may be given as undefined.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Kind;
}
