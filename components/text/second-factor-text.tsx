type Props = { readonly has: { readonly passkey: boolean; readonly app: boolean } | undefined };

/** Which second factor somebody has; nothing where whoever looks is not told. */
export function SecondFactorText({ has }: Props) {
  if (has === undefined) return <span className="text-ink-faint">Not shown</span>;
  if (!has.passkey && !has.app) return <span className="text-ink-faint">None</span>;
  return has.passkey && has.app ? "Passkey and app" : has.passkey ? "Passkey" : "App";
}
