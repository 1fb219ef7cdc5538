/** The part of a local part after its first `+`, which senders use to tell their mail apart; null if there is none. */
export function plusTagOf(address: string): string | null {
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')));
  const plus = local.indexOf('+');
  return plus < 1 || plus === local.length - 1 ? null : local.slice(plus + 1);
}
