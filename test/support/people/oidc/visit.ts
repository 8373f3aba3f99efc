/** What a browser does at the provider, without one: follows it from its first page to where it sends back. */
export async function visit(
  from: URL,
  { as, refuse = false }: { readonly as: string; readonly refuse?: boolean },
): Promise<URL> {
  const jar = new Map<string, string>();
  const go = async (url: URL, init: RequestInit = {}): Promise<URL | undefined> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null && answer.status >= 400) throw new Error(`${url.pathname}: ${await answer.text()}`);
    return location === null ? undefined : new URL(location, url);
  };
  let at = from;
  for (let steps = 0; steps < 10; steps += 1) {
    const to = await go(at);
    if (to && to.origin !== from.origin) return to;
    if (to) at = to;
    else {
      // The page that asks who it is.
      const body = new URLSearchParams({ login: as, ...(refuse ? { refuse: "yes" } : {}) });
      const after = await go(at, { method: "POST", body });
      if (!after) throw new Error("the provider leads nowhere after the sign-in");
      at = after;
    }
  }
  throw new Error("the provider leads in a circle");
}
