import { Notice } from "#components/shell/notice";

/** The one time recovery codes are on a page. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  if (codes.length === 0) return null;
  return (
    <Notice tone="good" role="status" title="Keep these recovery codes: this is the only time they are shown">
      <p>Print them, or put them into a password manager. Each one replaces your second factor once.</p>
      <ol className="mt-2.5 grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </Notice>
  );
}
