import { Mistake } from './mistake.js';
import { Finding } from './record-check.js';

/**
 * Compares the MX records of a name with the one host that should receive its mail. Names are lower-case, without
 * trailing dots.
 */
export function compareMx(
  records: readonly { readonly exchange: string; readonly preference: number }[],
  target: string,
): Finding {
  if (records.length === 0) return { kind: 'missing', mistake: 'missing', found: [] };
  const found = records.map(({ exchange, preference }) => `${preference} ${exchange === '' ? '.' : exchange}`);
  const wrong = (mistake: Mistake): Finding => ({ kind: 'wrong', mistake, found });
  const ours = records.filter(({ exchange }) => exchange === target).map(({ preference }) => preference);
  const others = records.filter(({ exchange }) => exchange !== target);
  if (ours.length > 0) {
    const best = Math.min(...ours);
    return others.some(({ preference }) => preference <= best) ? wrong('mx_other_preferred') : { kind: 'right' };
  }
  if (others.some(({ exchange }) => exchange.startsWith(`${target}.`))) return wrong('target_has_zone_appended');
  if (others.every(({ exchange }) => exchange === '' || exchange === '.')) return wrong('mx_null');
  if (others.some(({ exchange }) => /^(?:\d{1,3}\.){3}\d{1,3}$|^[0-9a-f]*:[0-9a-f:.]+$/i.test(exchange))) {
    return wrong('mx_is_address');
  }
  return wrong('wrong_target');
}

/** Compares the alias target of a name with the expected one. */
export function compareAlias(targets: readonly string[], expected: string): Finding {
  const [target] = targets;
  if (target === undefined) return { kind: 'missing', mistake: 'missing', found: [] };
  if (target === expected) return { kind: 'right' };
  const isAppended = target.startsWith(`${expected}.`);
  return { kind: 'wrong', mistake: isAppended ? 'target_has_zone_appended' : 'wrong_target', found: targets };
}
