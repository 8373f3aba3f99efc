import { redirect } from "next/navigation";
import { PaperBar } from "#components/paper/paper";
import { Shell } from "#components/shell/shell";
import { showTimesIn } from "#components/text/time";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { readReleasedPacket } from "#lib/submission/read-packet";
import { Sheet } from "./sheet.tsx";

type Props = { readonly params: Promise<{ readonly id: string }> };

/** What a person carries to the payer, to print or to read from: exactly what was released. */
export default async function PacketPage({ params }: Props) {
  const { id } = await params;
  const casePath = `/tasks/${encodeURIComponent(id)}`;
  const person = await requirePerson(`${casePath}/packet`);
  const found = await readReleasedPacket(contextOf(person), { taskId: id });
  if (!found.ok) redirect(found.refusal.type === "not-found" ? "/not-found" : casePath);
  const packet = found.value;
  showTimesIn(packet.timeZone);
  return (
    <Shell person={person} current="queue" title={`Packet ${packet.shortId}`}>
      <PaperBar href={casePath} back={`Case ${packet.shortId}`} />
      <Sheet packet={packet} />
    </Shell>
  );
}
