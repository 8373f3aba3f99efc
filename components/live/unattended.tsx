/**
 * Says of the requests that follow that the page makes them by itself, so that they keep no session alive, until the
 * returned function is called. `lib/person/session/person.ts` reads it.
 */
export function unattended(): () => void {
  document.cookie = "unattended=1; path=/; max-age=10; samesite=lax";
  return () => (document.cookie = "unattended=; path=/; max-age=0; samesite=lax");
}
