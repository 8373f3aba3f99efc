import type { Role } from "#lib/domain/actor";

export const roleWords: Readonly<Record<Role, string>> = { reviewer: "Reviewer", admin: "Admin", auditor: "Auditor" };
