import { safeSource } from './safe-url.js';

/** Properties that stay within their element. Nothing here takes it out of the flow, or lays it over others. */
const properties = new Set(
  (
    'background background-color background-image background-position background-repeat background-size border border-bottom ' +
    'border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width border-collapse ' +
    'border-color border-left border-left-color border-left-style border-left-width border-radius border-right border-right-color ' +
    'border-right-style border-right-width border-spacing border-style border-top border-top-color border-top-left-radius ' +
    'border-top-right-radius border-top-style border-top-width border-width box-shadow box-sizing caption-side color direction display ' +
    'float clear font font-family font-size font-style font-variant font-weight height letter-spacing line-height list-style ' +
    'list-style-position list-style-type margin margin-bottom margin-left margin-right margin-top max-height max-width min-height ' +
    'min-width mso-hide mso-line-height-rule mso-padding-alt mso-table-lspace mso-table-rspace mso-text-raise opacity overflow ' +
    'overflow-wrap padding padding-bottom padding-left padding-right padding-top table-layout text-align text-decoration ' +
    'text-decoration-color text-decoration-line text-decoration-style text-indent text-transform vertical-align white-space width ' +
    'word-break word-spacing word-wrap'
  ).split(' '),
);

export const maxStyleLength = 2_000;
const maxValueLength = 300;
/** No escapes, no comments, no braces: a value cannot end its declaration, nor hide a word. */
const plainValue = /^[\w\s#%.,()'":/+*!-]*$/;
const functions = /([a-z-]{0,40})\(/gi;
const knownFunctions = new Set(['', 'rgb', 'rgba', 'hsl', 'hsla', 'linear-gradient', 'calc', 'min', 'max', 'url']);

export interface SafeStyle {
  /** `color:red;padding:8px`. */
  readonly style: string;
  /** Names of properties that were left out. */
  readonly dropped: readonly string[];
}

/** Keeps the declarations of an inline style that cannot leave their element. Linear in the length of the text. */
export function safeStyle(text: string): SafeStyle {
  const kept: string[] = [];
  const dropped: string[] = [];
  for (const declaration of declarationsOf(text.slice(0, maxStyleLength))) {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    if (declaration.trim() === '') continue;
    if (properties.has(name) && isSafeValue(name, value)) kept.push(`${name}:${value.replace(/\s+/g, ' ')}`);
    else dropped.push(name === '' ? declaration.trim().slice(0, 40) : name.slice(0, 40));
  }
  return { style: kept.join(';'), dropped };
}

function isSafeValue(name: string, value: string): boolean {
  if (value === '' || value.length > maxValueLength || !plainValue.test(value)) return false;
  if (value.includes('/*') || value.includes('*/') || !isBalanced(value)) return false;
  if (/^(?:margin|text-indent)/.test(name) && /(?:^|[\s(])-\s*[\d.]/.test(value)) return false;
  const names = [...value.matchAll(functions)].map(([, called = '']) => called.toLowerCase());
  if (!names.every((called) => knownFunctions.has(called))) return false;
  return !names.includes('url') || (name.startsWith('background') && hasSafeUrls(value));
}

function hasSafeUrls(value: string): boolean {
  const urls = [...value.matchAll(/url\(\s{0,9}(["']?)([^"'()\s]{0,300})\1\s{0,9}\)/gi)];
  const called = value.toLowerCase().split('url(').length - 1;
  return (
    urls.length === called && urls.every(([, , url = '']) => /^https?:\/\//i.test(url) && safeSource(url) !== undefined)
  );
}

function isBalanced(value: string): boolean {
  let depth = 0;
  let quote = '';
  for (const sign of value) {
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '(') depth++;
    else if (sign === ')' && --depth < 0) return false;
  }
  return depth === 0 && quote === '';
}

/** Splits at semicolons that are neither in quotes nor in parentheses. */
function declarationsOf(text: string): readonly string[] {
  const declarations: string[] = [];
  let [start, depth, quote] = [0, 0, ''];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '(') depth++;
    else if (sign === ')') depth = Math.max(0, depth - 1);
    else if (sign === ';' && depth === 0) {
      declarations.push(text.slice(start, at));
      start = at + 1;
    }
  }
  declarations.push(text.slice(start));
  return declarations;
}
