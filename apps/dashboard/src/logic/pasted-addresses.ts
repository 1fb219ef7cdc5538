export interface PastedAddresses {
  readonly addresses: readonly string[];
  /** Pieces that are not addresses. */
  readonly refused: readonly string[];
}

/** Reads addresses from text that was pasted or dropped: lines, commas, semicolons, CSV with other columns, names in front. */
export function pastedAddresses(text: string): PastedAddresses {
  const addresses = new Set<string>();
  const refused: string[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    const pieces = line.split(/[\s,;<>"']+/).filter((piece) => piece !== '');
    const found = pieces.filter(isAddress);
    for (const address of found) addresses.add(address.toLowerCase());
    if (found.length === 0 && pieces.length > 0) refused.push(line.trim());
  }
  return { addresses: [...addresses], refused };
}

function isAddress(piece: string): boolean {
  const at = piece.lastIndexOf('@');
  const domain = piece.slice(at + 1);
  return at > 0 && piece.length <= 254 && domain.includes('.') && !domain.startsWith('.') && !domain.endsWith('.');
}
