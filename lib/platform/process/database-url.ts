/**
 * One URL for each host of a Postgres connection URL, in the order in which they are tried:
 * `postgresql://user:password@one:5432,two:5432/name` (PostgreSQL manual 34.1.1.3, multiple hosts). Undefined where the
 * text is no such URL. `target_session_attrs` is left out, since we always look for the server that takes writes.
 */
export function databaseUrls(text: string): readonly URL[] | undefined {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([/?#].*)?$/s.exec(text);
  if (!parts) return undefined;
  const [, before = "", hosts = "", after = ""] = parts;
  const urls = hosts.split(",").map((host) => URL.parse(`${before}${host}${after}`));
  // A socket's folder is a parameter, and then there is no host.
  if (!urls.every((url) => url !== null)) return undefined;
  // Deleting also writes the other parameters anew.
  for (const { searchParams } of urls) if (searchParams.has(sessionAttributes)) searchParams.delete(sessionAttributes);
  return urls;
}

const sessionAttributes = "target_session_attrs";

/** Which server is asked for; nobody but a primary would do. */
const primaries = new Set([null, "any", "read-write", "primary"]);

/** What makes a connection URL unusable for us, as a part of a sentence after its name; undefined where nothing does. */
export function databaseUrlProblem(text: string): string | undefined {
  if (databaseUrls(text) === undefined)
    return "must look like postgresql://user:password@host:5432/name, or with several hosts like postgresql://user:password@one:5432,two:5432/name";
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(text)?.[1]);
  if (primaries.has(parameters.get(sessionAttributes))) return undefined;
  return `asks for a server that takes no writes: set ${sessionAttributes} to read-write, or leave it out`;
}

/** The same URL with another login, whatever its hosts. */
export function withLogin(
  text: string,
  { user, password }: { readonly user: string; readonly password: string },
): string {
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return text.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/?#]*@)?/, (_, scheme: string) => `${scheme}${login}`);
}
