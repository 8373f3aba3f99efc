/** A role in a practice as one value of a form; over every practice, the role alone. */
export function grantText({ role, practiceId }: { role: string; practiceId?: string | undefined }): string {
  return practiceId === undefined ? role : `${role} ${practiceId}`;
}

export function grantOf(text: string): { role: string; practiceId?: string } {
  const [role = "", ...rest] = text.split(" ");
  return rest.length === 0 ? { role } : { role, practiceId: rest.join(" ") };
}
