import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectionNeeds } from "./connection-needs.ts";
import { errorsReference, methodsPage, statesPage } from "./reference-pages.ts";
import { taskPage } from "./task-page.ts";
import { serviceReviewPage } from "./service-review-page.ts";

export type Page = {
  /** Its address is `/developers/<slug>`, and `/developers/<slug>.md` as Markdown. */
  readonly slug: string;
  readonly title: string;
  readonly lead: string;
  readonly markdown: () => string;
};

/** The guides are files of the repository, where people read them too. */
function guide(slug: string, title: string, lead: string, more?: () => string): Page {
  const read = () => readFileSync(join(process.cwd(), "docs", "developers", `${slug}.md`), "utf8");
  return { slug, title, lead, markdown: more ? () => `${read().trimEnd()}\n\n${more()}\n` : read };
}

/** All pages of the portal, in the order of their groups. */
export const groups: readonly { readonly title: string; readonly pages: readonly Page[] }[] = [
  {
    title: "Start",
    pages: [
      guide("quickstart", "Quickstart", "From a key to a determination, in four languages"),
      guide("testing", "Testing", "Test channels, automatic review, and member ids that choose the answer"),
    ],
  },
  {
    title: "Guides",
    pages: [
      guide("intake", "Intake", "Open a task, step by step"),
      guide("payers", "Payers", "Which payers a practice has, how each is reached, and what it needs", connectionNeeds),
      guide("needs-information", "Missing information", "What is missing, what a reviewer asks, what the payer asks"),
      guide("attachments", "Attachments", "Files that support a request"),
      guide("release", "Release and recall", "What people decide, and when"),
      guide("payer-answers", "Payer answers", "Determinations, artifacts, the payer's clock"),
      guide("denial", "Denial and appeal", "Why a payer denied it, and what can be done"),
      guide("amend", "Amending and renewing", "Change a request, renew or extend an authorization"),
      guide("void", "Voiding and withdrawing", "Reverse what the payer has, withdraw what it does not"),
      guide("waiting", "Waiting", "Waiting calls and polling"),
      guide("webhooks", "Webhooks", "Be told of changes, signed"),
      guide("idempotency", "Sending twice", "Retries that do nothing twice"),
      guide(
        "errors",
        "Errors",
        "Each error, its cause and what mends it",
        () => `## All errors\n\n${errorsReference()}`,
      ),
      guide("limits", "Limits", "Rates and sizes"),
      guide("security", "Keys and security", "Keys, signed clients, rotation"),
      guide("clients", "Clients", "In TypeScript and in Python, without dependencies"),
      guide("sdk", "Official A2A clients", "The A2A SDK, with what it hands on"),
    ],
  },
  {
    title: "Reference",
    pages: [
      { slug: "methods", title: "Methods", lead: "The three methods and their schemas", markdown: methodsPage },
      { slug: "states", title: "States", lead: "Each state, and who moves next", markdown: statesPage },
      {
        slug: "service-review",
        title: "Service review",
        lead: "Each member: form, codes, example, where it goes",
        markdown: serviceReviewPage,
      },
      { slug: "task", title: "Task", lead: "Each member of a reply, and its form", markdown: taskPage },
      guide("conformance", "A2A conformance", "The official test kit, case by case"),
      guide("changelog", "Changelog", "What changed, and what may change without notice"),
    ],
  },
];

const inOrder = groups.flatMap(({ pages }) => pages);
const bySlug = new Map(inOrder.map((page) => [page.slug, page] as const));

/** The page of this slug; undefined where there is none. */
export function pageOf(slug: string): Page | undefined {
  return bySlug.get(slug);
}

/** The pages before and after this one, as somebody reads who begins at the first. */
export function neighborsOf(page: Page): { readonly before: Page | undefined; readonly after: Page | undefined } {
  const at = inOrder.indexOf(page);
  return { before: at > 0 ? inOrder[at - 1] : undefined, after: inOrder[at + 1] };
}

/** A page's Markdown, with this service's own address in its examples. */
export function markdownOf(page: Page, publicUrl: string): string {
  return page.markdown().replaceAll("http://localhost:3000", new URL(publicUrl).origin);
}

/** The list of all pages for language models (https://llmstxt.org). */
export function llmsText(publicUrl: string): string {
  const at = (path: string) => new URL(path, publicUrl).href;
  const lists = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${at(`/developers/${page.slug}.md`)}): ${page.lead}`);
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `# Prior authorization, for developers

> Agents send prior-authorization requests for medical practices as JSON-RPC 2.0 to ${at("/api/a2a")}. A person releases each request before it goes to the payer. The agent polls, waits or is told by a webhook.

${lists.join("\n\n")}

## Machine-readable

- [Agent card](${at("/.well-known/agent-card.json")}): A2A 0.3
- [OpenRPC](${at("/developers/openrpc.json")}): the three methods
- [JSON Schema of a service review](${at("/developers/schemas/service-review.json")})
- [JSON Schema of a task](${at("/developers/schemas/task.json")})
- [Client in Python](${at("/developers/files/prior_authorization.py")}): one file, standard library only
`;
}
