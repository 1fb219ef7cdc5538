import { EncodedBytes, isSecretName, LargeText, storableText, withoutLinkSecrets } from '#kernel';

const hidden = '[hidden]';
/** Stands for what was left out. */
const rest = '…';
/** As JSON. The last text of a field may exceed them by its own length. */
const maxBytes = 8_000;
const maxFieldBytes = 2_000;
const maxDepth = 6;
const maxItems = 50;
const maxTextLength = 500;
const maxFields = 100;

type Fields = Readonly<Record<string, unknown>>;

/** Bytes that a copy may still have. */
interface Allowance {
  bytes: number;
}

/** A copy of a value for the log: without secrets, and bounded as a whole, in each field, and in depth, items and text. */
export function shown(value: unknown): unknown {
  if (!isObject(value)) return copied(value, { bytes: maxFieldBytes }, 0);
  const allowance = { bytes: maxBytes };
  return fieldsOf(value, allowance, (field) => {
    const own = Math.min(maxFieldBytes, allowance.bytes);
    const ofField = { bytes: own };
    const copy = copied(field, ofField, 1);
    allowance.bytes -= own - ofField.bytes;
    return copy;
  });
}

/** The fields that differ. Where one side is no object, both sides as they are. */
export function changesBetween(before: unknown, after: unknown): { readonly before: unknown; readonly after: unknown } {
  if (!isObject(before) || !isObject(after)) return { before: shown(before), after: shown(after) };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isEqual(before[name], after[name]));
  const pick = (from: Fields): Fields =>
    Object.fromEntries(changed.filter((name) => name in from).map((name) => [name, from[name]]));
  return { before: shown(pick(before)), after: shown(pick(after)) };
}

function copied(value: unknown, allowance: Allowance, depth: number): unknown {
  if (typeof value === 'string') return textOf(withoutLinkSecrets(value.slice(0, maxTextLength * 2)), allowance);
  if (value instanceof LargeText) return copied(value.beginning(maxTextLength * 2), allowance, depth);
  if (value instanceof EncodedBytes) return copied(value.bytes, allowance, depth);
  if (ArrayBuffer.isView(value)) return textOf(`${value.byteLength} bytes`, allowance);
  if (typeof value === 'bigint') return textOf(String(value), allowance);
  if (value instanceof Date) return textOf(value.toISOString(), allowance);
  allowance.bytes -= 8;
  if (typeof value !== 'object' || value === null) return value === undefined ? null : value;
  if (depth >= maxDepth) return rest;
  if (Array.isArray(value)) return itemsOf(value, allowance, depth);
  return fieldsOf(value as Fields, allowance, (field) => copied(field, allowance, depth + 1));
}

/** Without NUL and half surrogate pairs, which PostgreSQL refuses. */
function textOf(value: string, allowance: Allowance): string {
  const maxLength = Math.min(maxTextLength, Math.max(0, allowance.bytes));
  const kept = value.length <= maxLength ? value : value.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') + rest;
  const text = storableText(kept);
  allowance.bytes -= Buffer.byteLength(JSON.stringify(text));
  return text;
}

function itemsOf(values: readonly unknown[], allowance: Allowance, depth: number): unknown[] {
  const items: unknown[] = [];
  for (const value of values) {
    if (items.length === maxItems || allowance.bytes <= 0) return [...items, rest];
    items.push(copied(value, allowance, depth + 1));
  }
  return items;
}

function fieldsOf(value: Fields, allowance: Allowance, copy: (field: unknown) => unknown): Fields {
  const fields: [name: string, value: unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined || typeof field === 'function') continue;
    if (fields.length === maxFields || allowance.bytes <= 0) return Object.fromEntries([...fields, [rest, rest]]);
    fields.push([textOf(name.slice(0, 100), allowance), isSecret(name, field) ? hidden : copy(field)]);
  }
  return Object.fromEntries(fields);
}

function isSecret(name: string, value: unknown): boolean {
  return isSecretName(name) && value !== null && typeof value !== 'boolean';
}

/** Without writing them down: a text may have megabytes. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  const names = Object.keys(one);
  if (Array.isArray(one) !== Array.isArray(other) || names.length !== Object.keys(other).length) return false;
  return names.every((name) => name in other && isEqual((one as Fields)[name], (other as Fields)[name]));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
