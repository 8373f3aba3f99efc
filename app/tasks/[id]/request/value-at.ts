/** What a JSON pointer (RFC 6901) names in a value; undefined where there is nothing. */
export function valueAt(value: unknown, pointer: string): unknown {
  const tokens = pointer.split("/").slice(1);
  return tokens.reduce<unknown>((within, token) => {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof within !== "object" || within === null || !Object.hasOwn(within, name)) return undefined;
    return Reflect.get(within, name);
  }, value);
}
