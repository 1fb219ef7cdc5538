/** Names of fields whose values are never stored. */
const secret = /token|secret|password|private|authorization|cookie|recovery|backup_code|api_key$|^key$/i;
const hidden = '[hidden]';
const maxDepth = 6;
const maxItems = 50;
const maxTextLength = 500;
const maxFields = 100;

/** A copy of a value for the log: without secrets, and bounded in depth, items and text. */
export function shown(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value;
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value === undefined ? null : value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => shown(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined && typeof field !== 'function')
      .slice(0, maxFields)
      .map(([name, field]) => [name.slice(0, 100), isSecret(name, field) ? hidden : shown(field, depth + 1)]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  return secret.test(name) && value !== null && typeof value !== 'boolean';
}

/** The fields that differ. Where one side is no object, both sides as they are. */
export function changesBetween(before: unknown, after: unknown): { readonly before: unknown; readonly after: unknown } {
  if (!isObject(before) || !isObject(after)) return { before: before ?? null, after: after ?? null };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (from: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(changed.filter((name) => name in from).map((name) => [name, from[name]]));
  return { before: pick(before), after: pick(after) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
