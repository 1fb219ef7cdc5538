import { isSecretName, storableText, withoutLinkSecrets } from '#kernel';

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
interface Room {
  left: number;
}

/** A copy of a value for the log: without secrets, and bounded as a whole, in each field, and in depth, items and text. */
export function shown(value: unknown): unknown {
  if (!isObject(value)) return copied(value, { left: maxFieldBytes }, 0);
  const room = { left: maxBytes };
  return fieldsOf(value, room, (field) => {
    const own = Math.min(maxFieldBytes, room.left);
    const ofField = { left: own };
    const copy = copied(field, ofField, 1);
    room.left -= own - ofField.left;
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

function copied(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return textOf(withoutLinkSecrets(value.slice(0, maxTextLength * 2)), room);
  if (typeof value === 'bigint') return textOf(String(value), room);
  if (value instanceof Date) return textOf(value.toISOString(), room);
  room.left -= 8;
  if (typeof value !== 'object' || value === null) return value === undefined ? null : value;
  if (depth >= maxDepth) return rest;
  if (Array.isArray(value)) return itemsOf(value, room, depth);
  return fieldsOf(value as Fields, room, (field) => copied(field, room, depth + 1));
}

/** Without NUL and half surrogate pairs, which PostgreSQL refuses. */
function textOf(value: string, room: Room): string {
  const maxLength = Math.min(maxTextLength, Math.max(0, room.left));
  const kept = value.length <= maxLength ? value : value.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') + rest;
  const text = storableText(kept);
  room.left -= Buffer.byteLength(JSON.stringify(text));
  return text;
}

function itemsOf(values: readonly unknown[], room: Room, depth: number): unknown[] {
  const items: unknown[] = [];
  for (const value of values) {
    if (items.length === maxItems || room.left <= 0) return [...items, rest];
    items.push(copied(value, room, depth + 1));
  }
  return items;
}

function fieldsOf(value: Fields, room: Room, copy: (field: unknown) => unknown): Fields {
  const fields: [name: string, value: unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined || typeof field === 'function') continue;
    if (fields.length === maxFields || room.left <= 0) return Object.fromEntries([...fields, [rest, rest]]);
    fields.push([textOf(name.slice(0, 100), room), isSecret(name, field) ? hidden : copy(field)]);
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
