/** A SHA-256 in groups of eight, to be compared by eye; copied, it is one word. */
export function Digest({ value }: { readonly value: string }) {
  const groups = value.match(/.{1,8}/g) ?? [];
  return (
    <code className="inline-flex flex-wrap gap-x-2 font-mono text-xs leading-4.5">
      {groups.map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </code>
  );
}

/** The part of a digest people say to each other. */
export function ShortDigest({ value }: { readonly value: string }) {
  return <code className="font-mono text-xs">{value.slice(0, 12)}</code>;
}
