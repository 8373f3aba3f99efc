type Admin = { readonly name: string; readonly email: string };

/** Administrators to ask, with a way to write to each; nothing where there are none. */
export function AdminsToAsk({ admins }: { readonly admins: readonly Admin[] }) {
  if (admins.length === 0) return null;
  return (
    <ul aria-label="Whom to ask" className="mt-3">
      {admins.map(({ name, email }) => (
        <li key={email}>
          Ask {name}, <a href={`mailto:${email}`}>{email}</a>
        </li>
      ))}
    </ul>
  );
}
