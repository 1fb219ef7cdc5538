import { escaped } from '../rendering/markup.js';

export type MjmlValues = Readonly<Record<string, string | number | undefined>>;

/** An element of MJML. Attributes without a value are left out; numbers are pixels. `content` is MJML or html already. */
export function mjmlTag(name: string, values: MjmlValues, content?: string): string {
  let written = '';
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === '') continue;
    written += ` ${key}="${typeof value === 'number' ? `${value}px` : escaped(value)}"`;
  }
  return content === undefined ? `<${name}${written} />` : `<${name}${written}>${content}</${name}>`;
}

/** An element with others in it, each on lines of its own. */
export function mjmlBox(name: string, values: MjmlValues, lines: readonly string[]): string {
  return mjmlTag(name, values, `\n${lines.filter((line) => line !== '').join('\n')}\n`);
}

/** Html of a user as it may stand in MJML: elements of MJML in it would be read as such. */
export function withoutMjml(html: string): string {
  return html.replace(/<(\/?)mj/gi, '<$1x-mj');
}
