import Link from "next/link";
import { PageHeader } from "#components/shell/page-header";
import { groups } from "#lib/developers/pages";
import { Portal } from "./portal.tsx";

/** The pages for developers, in their groups. */
export default function DevelopersPage() {
  return (
    <Portal title="Overview">
      <div className="max-w-4xl">
        <PageHeader
          title="For people who build agents"
          lead="An agent sends a request for prior authorization, a person of the practice releases it, and the agent learns what the payer decides. One address, JSON-RPC 2.0, three methods; clients of A2A 0.3 work as they are."
        />
        {groups.map(({ title, pages }) => (
          <section key={title} className="border-t border-line pt-5 pb-7">
            <h2 className="mb-2 text-lg font-semibold">{title}</h2>
            <ul className="grid gap-x-8 sm:grid-cols-2">
              {pages.map((page) => (
                <li key={page.slug}>
                  <Link
                    href={`/developers/${page.slug}`}
                    prefetch={false}
                    className="group -mx-2 block rounded-md px-2 py-2 hover:bg-hover"
                  >
                    <span className="block font-semibold text-news group-hover:underline">{page.title}</span>
                    <span className="block text-sm text-ink-soft">{page.lead}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section className="border-t border-line pt-5">
          <h2 className="mb-2 text-lg font-semibold">For programs</h2>
          <ul className="grid gap-1 text-ink-soft">
            <li>
              <PlainLink href="/.well-known/agent-card.json" /> is the A2A agent card
            </li>
            <li>
              <PlainLink href="/developers/openrpc.json" /> describes the three methods
            </li>
            <li>
              <PlainLink href="/developers/schemas/service-review.json" /> and{" "}
              <PlainLink href="/developers/schemas/task.json" /> are the schemas of what you send and of what you get
            </li>
            <li>
              <PlainLink href="/developers/files/prior-authorization-client.tgz" /> and{" "}
              <PlainLink href="/developers/files/prior_authorization.py" /> are the clients
            </li>
            <li>
              <PlainLink href="/llms.txt" /> lists these pages as Markdown, for language models
            </li>
          </ul>
        </section>
      </div>
    </Portal>
  );
}

function PlainLink({ href }: { readonly href: string }) {
  return (
    <a href={href} className="font-mono text-sm text-news wrap-anywhere hover:underline">
      {href}
    </a>
  );
}
