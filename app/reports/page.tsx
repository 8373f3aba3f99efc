import { redirect } from "next/navigation";

/** The first of the reports. */
export default function ReportsPage() {
  redirect("/reports/overview");
}
