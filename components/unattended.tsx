import { unattendedCookie } from "#lib/auth/unattended";

/** Says of the requests that follow that the page makes them by itself, until the returned function is called. */
export function unattended(): () => void {
  document.cookie = `${unattendedCookie}=1; path=/; max-age=10; samesite=lax`;
  return () => (document.cookie = `${unattendedCookie}=; path=/; max-age=0; samesite=lax`);
}
