import { Mark } from "#components/shell/mark";
import { PageTitle } from "#components/shell/page-title";
import { buttonClass } from "#components/form/plain-button";

export default function NotFound() {
  return (
    <main className="grid flex-1 place-items-center px-4 py-12">
      <PageTitle>Not found</PageTitle>
      <div className="max-w-sm">
        <Mark size={28} />
        <h1 className="mt-4 text-xl font-semibold">Page not found</h1>
        <p className="mt-2 mb-5 text-ink-soft">
          The address is wrong, or you don&rsquo;t have access to what it names. An admin can tell you which.
        </p>
        {/* A plain link: this stands in the root layout, and would bring the scripts of links to every page. */}
        <a href="/" className={buttonClass({})}>
          Back to your work
        </a>
      </div>
    </main>
  );
}
