import { urlNetworkProblem } from "#lib/platform/outbound/open-socket";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";

/** What is wrong with a payer's address; undefined where it is valid. Plain http is valid for this machine alone. */
export function urlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return problems.httpsAddress;
  if (url.username !== "" || url.password !== "") return practiceProblems.noCredentialInUrl;
  if (url.search !== "" || url.hash !== "") return practiceProblems.urlEndsWithPath;
  if (isPlainHttp(text) && !isLoopback(url)) return practiceProblems.httpsOrThisMachine;
  return urlNetworkProblem(url);
}

export function isPlainHttp(text: string): boolean {
  return URL.parse(text)?.protocol === "http:";
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
