import type { Role } from "#lib/access/model/actor";

export const roleWords: Readonly<Record<Role, string>> = { reviewer: "Reviewer", admin: "Admin", auditor: "Auditor" };
