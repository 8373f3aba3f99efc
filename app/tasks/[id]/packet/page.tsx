import { ChevronLeft } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Shell } from "#components/shell";
import { contextOf, requirePerson } from "#lib/auth/person";
import { readReleasedPacket } from "#lib/tasks/read-packet";
import { PrintButton } from "./print-button.tsx";
import { Sheet } from "./sheet.tsx";

type Props = { readonly params: Promise<{ readonly id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  return { title: `Packet ${id.slice(-8).toUpperCase()}` };
}

/** What a person carries to the payer, to print or to read from: exactly what was released. */
export default async function PacketPage({ params }: Props) {
  const { id } = await params;
  const casePath = `/tasks/${encodeURIComponent(id)}`;
  const person = await requirePerson(`${casePath}/packet`);
  const found = await readReleasedPacket(contextOf(person), { taskId: id });
  if (!found.ok) redirect(found.refusal.type === "not-found" ? "/not-found" : casePath);
  const packet = found.value;
  return (
    <Shell person={person} current="queue">
      <div className="mb-5 flex flex-wrap items-center gap-3 print:hidden">
        <Link
          href={casePath}
          prefetch={false}
          className="-ms-1 inline-flex items-center gap-0.5 rounded-md py-0.5 pe-1 text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden size={16} />
          Case {packet.shortId}
        </Link>
        <div className="ms-auto flex items-center gap-3">
          <span className="text-sm text-ink-faint">Ctrl+P prints this sheet and nothing around it.</span>
          <PrintButton />
        </div>
      </div>
      <Sheet packet={packet} />
    </Shell>
  );
}
