import { shownZone } from "#components/text/time";
import { contextOf, currentPerson } from "#lib/person/session/person";
import { exportDeskHealth } from "#lib/queue/report/export-desk-health";
import { askedIn } from "../filter.ts";

type Asked = { readonly params: Promise<{ readonly table: string }> };

/** A table of the health page as CSV, to a reviewer and of their practices alone. */
export async function GET(request: Request, { params }: Asked): Promise<Response> {
  const { table } = await params;
  const person = await currentPerson();
  const query = new URL(request.url).searchParams;
  const { window, practiceId } = askedIn({
    days: query.get("days") ?? undefined,
    practice: query.get("practice") ?? undefined,
  });
  const asked = { table, window, practiceId, zone: await shownZone() };
  const found = person && (await exportDeskHealth(contextOf(person), asked));
  if (!found?.ok) return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(found.value, {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${table}-${window}-days.csv"`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}
