/** Where a practice's pages are. */
export function practicePath(practiceId: string): string {
  return `/practices/${encodeURIComponent(practiceId)}`;
}

export function routePath(practiceId: string, payerId: string): string {
  return `${practicePath(practiceId)}/route?payer=${encodeURIComponent(payerId)}`;
}
