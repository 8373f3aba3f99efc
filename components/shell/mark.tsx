/** The product's mark: two posts, and what waits between them. */
export function Mark({ size = 20 }: { readonly size?: number | undefined }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 20 20" className="shrink-0">
      <rect width="20" height="20" rx="4" className="fill-inverse" />
      <path d="M6 5v10M14 5v10" strokeWidth="2" strokeLinecap="round" className="stroke-on-inverse" />
      <circle cx="10" cy="10" r="1.75" className="fill-on-inverse" />
    </svg>
  );
}
