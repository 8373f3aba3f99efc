import { urlNetworkProblem } from "#lib/platform/outbound/open-socket";

/** What is wrong with a payer's address; undefined where it is valid. Plain http is valid for this machine alone. */
export function urlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return "must be an address that begins with https://";
  if (url.username !== "" || url.password !== "") return "must not hold a credential; it is given on its own";
  if (url.search !== "" || url.hash !== "") return "must end with its path, without ? or #";
  if (isPlainHttp(text) && !isLoopback(url))
    return "must begin with https://, for plain http goes to this machine only";
  return urlNetworkProblem(url);
}

export function isPlainHttp(text: string): boolean {
  return URL.parse(text)?.protocol === "http:";
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
