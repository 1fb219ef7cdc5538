/** Colors are `#rrggbb` in lower case. */

export function mixed(color: string, other: string, share: number): string {
  const [a, b] = [channels(color), channels(other)];
  return hexOf(a.map((channel, no) => channel + ((b[no] as number) - channel) * share));
}

/** Of WCAG 2: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Whether white can be read on it. On some colors black could be read as well, and white is what people expect. */
export function isDark(color: string): boolean {
  return luminance(color) < 0.2;
}

/** The color, moved towards white or black until it can be read on the background. */
export function readableOn(background: string, color: string, least = 4.5): string {
  const target = isDark(background) ? '#ffffff' : '#000000';
  for (let share = 0; share < 1; share += 0.08) {
    const moved = mixed(color, target, share);
    if (contrast(moved, background) >= least) return moved;
  }
  return target;
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function hexOf(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
