/** Colors of emails, `#rrggbb`, as the service computes them: what is shown while one writes is what will be sent. */

const hex = /^#[\da-f]{6}$/i;

export function isColor(text: string): boolean {
  return hex.test(text);
}

export function mixedColors(color: string, other: string, share: number): string {
  const [a, b] = [channelsOf(color), channelsOf(other)];
  return toHex(a.map((channel, no) => channel + ((b[no] ?? 0) - channel) * share));
}

/** Of WCAG 2: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

export function isDarkColor(color: string): boolean {
  return luminanceOf(color) < 0.2;
}

/** The color, moved towards white or black until it can be read on the background. */
export function readableColor(background: string, color: string, least = 4.5): string {
  const target = isDarkColor(background) ? '#ffffff' : '#000000';
  for (let share = 0; share < 1; share += 0.08) {
    const moved = mixedColors(color, target, share);
    if (contrastOf(moved, background) >= least) return moved;
  }
  return target;
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function toHex(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
