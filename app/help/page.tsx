import { AdminsToAsk } from "#components/shell/admins-to-ask";
import { Section } from "#components/list/section";
import { HelpTextShown } from "#components/shell/help-text";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { isAdmin } from "#lib/access/model/actor";
import { helpTexts } from "#lib/messages/help";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { adminsToAsk } from "#lib/queue/queue-choices";

/** Pages that only admins have. */
const adminTopics: ReadonlySet<string> = new Set<keyof typeof helpTexts>([
  "channels",
  "channel",
  "practices",
  "practice",
  "people",
  "changes",
  "import",
]);

/** The help of every page that the reader has on one, for those without scripts and for reading on. */
export default async function HelpPage() {
  const person = await requirePerson("/help");
  const topics = Object.entries(helpTexts).filter(
    ([topic]) => isAdmin(person) || (topic === "audit" ? person.roles.includes("auditor") : !adminTopics.has(topic)),
  );
  const admins = await adminsToAsk(contextOf(person));
  return (
    <Shell person={person} current="help" title="Help">
      <PageHeader
        title="Help"
        lead="AI agents prepare requests for prior authorization. Reviewers decide what is submitted to the payer."
      />
      <div className="max-w-prose xl:max-w-5xl xl:columns-2 xl:gap-12 [&>section]:break-inside-avoid">
        <Section title="Whom to ask">
          <p>
            About a request, ask its assignee or another reviewer of the practice. About access and settings, ask an
            admin.
          </p>
          <AdminsToAsk admins={admins.filter(({ id }) => id !== person.id)} />
        </Section>
        {topics.map(([topic, text]) => (
          <Section key={topic} title={text.title} anchor={topic} folds>
            <HelpTextShown text={text} />
          </Section>
        ))}
      </div>
    </Shell>
  );
}
