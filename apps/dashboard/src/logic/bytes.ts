const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** "8.1 GB". */
export function bytesText(bytes: number, language: string): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1_000 ** power;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power] as string,
    // English and German have no short form of a byte: it would be "13 byte".
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
