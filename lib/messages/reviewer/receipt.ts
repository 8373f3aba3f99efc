/** Of a receipt that does not open. Whoever runs the service finds it by its number with `pa receipt export`. */
export function unopenedReceiptText(sequence: number): string {
  return `Receipt ${sequence} was changed where it is kept, or a later release wrote it, so it can't be shown. Contact the people who run this service.`;
}
