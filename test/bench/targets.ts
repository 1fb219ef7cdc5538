import type { Measurement } from './bench-case.js';

/** The target of a row, or a multiple (`times`) of another row of the same report if that was measured. */
interface Target {
  readonly row: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly p99AtMostMs?: number;
  readonly times?: { readonly factor: number; readonly row: string; readonly called: string };
}

const targets: readonly Target[] = [
  {
    row: 'single sends of 4 KB, accepted to delivered',
    atLeast: 1_400,
    times: { factor: 4, row: 'Postfix + OpenDKIM, 4 KB, accepted to delivered', called: 'Postfix' },
  },
  {
    row: 'single sends of 100 KB, accepted to delivered',
    atLeast: 480,
    times: { factor: 2, row: 'Postfix + OpenDKIM, 100 KB, accepted to delivered', called: 'Postfix' },
  },
  {
    row: 'single sends of 4 KB, C tools, accepted to delivered',
    times: { factor: 8, row: 'Postfix + OpenDKIM, 4 KB, C tools, accepted to delivered', called: 'Postfix' },
  },
  {
    row: 'single sends of 100 KB, C tools, accepted to delivered',
    times: { factor: 3, row: 'Postfix + OpenDKIM, 100 KB, C tools, accepted to delivered', called: 'Postfix' },
  },
  { row: 'HTTP accept alone, single sends', atLeast: 4_000, p99AtMostMs: 60 },
  { row: 'HTTP accept alone, batches of 100', atLeast: 10_000 },
  { row: 'single sends of 4 KB, 500 a second, delivered meanwhile', p99AtMostMs: 10 },
  {
    row: 'SMTP accept alone, with TLS',
    atLeast: 1_500,
    times: { factor: 2, row: 'Postfix + OpenDKIM, 4 KB, accepted while delivering', called: 'Postfix' },
  },
  { row: 'webhook calls, signed', atLeast: 2_000 },
  { row: 'contact upserts by the API', atLeast: 2_000 },
  { row: 'events accepted', atLeast: 5_000 },
  { row: 'events accepted in batches of 100', atLeast: 5_000 },
  { row: 'steps of automations', atLeast: 2_000 },
  { row: 'steps of automations beside full single sends', atLeast: 2_000 },
  { row: 'single sends beside steps, compared with alone', atMost: 1.25 },
  { row: 'broadcast, accepted', atLeast: 5_000 },
  { row: 'document of 300 blocks: from a click in the list to the first key that is taken', atMost: 1_000 },
  { row: 'document of 300 blocks: from a key to its frame, median', atMost: 16 },
  { row: 'single sends beside a broadcast, compared with alone', atMost: 2 },
  { row: 'page of 100 recipients of 1.0 million', p99AtMostMs: 50 },
  { row: 'memory of the server process after broadcasts', atMost: 300 },
  {
    row: 'single sends of 4 KB to a good host, under attack',
    p99AtMostMs: 500,
    times: { factor: 0.5, row: 'single sends of 4 KB to a good host, undisturbed', called: 'undisturbed' },
  },
  { row: 'memory under attack', atMost: 1_000 },
  { row: 'start to ready, with existing data', atMost: 3 },
  { row: 'idle memory of the server process', atMost: 150 },
];

const storedFactor = 1.2;
const asleepFactor = 1.05;

export function targetOf(row: Measurement, rows: readonly Measurement[]): string {
  return limitsOf(row, rows)
    .map(({ text }) => text)
    .join(', ');
}

/** `met`, or by how much each target is missed; empty for a row without targets. */
export function shortfallOf(row: Measurement, rows: readonly Measurement[]): string {
  const limits = limitsOf(row, rows);
  if (limits.length === 0) return '';
  const missed = limits.filter(({ reached }) => reached < 1);
  return missed.length === 0 ? 'met' : missed.map(({ reached }) => `${Math.round(reached * 100)}% of it`).join(', ');
}

/** The rows that miss a target by more than `factor`, each with its value and its targets. */
export function missedBy(factor: number, rows: readonly Measurement[]): string[] {
  return rows
    .filter((row) => limitsOf(row, rows).some(({ reached }) => reached * factor < 1))
    .map((row) => `${row.name}: ${row.value.toFixed(2)} ${row.unit}, wanted: ${targetOf(row, rows)}`);
}

interface Limit {
  readonly text: string;
  /** 1 and more: met. */
  readonly reached: number;
}

function limitsOf(row: Measurement, rows: readonly Measurement[]): Limit[] {
  return [...fixedLimits(row, rows), ...storedLimits(row, rows)];
}

function fixedLimits({ name, node, value, p99Ms }: Measurement, rows: readonly Measurement[]): Limit[] {
  const target = targets.find(({ row }) => row === name);
  if (target === undefined) return [];
  const { atLeast, atMost, p99AtMostMs, times } = target;
  const other = rows.find((row) => row.name === times?.row && row.node === node);
  return [
    ...(atLeast === undefined ? [] : [{ text: `${atLeast}`, reached: value / atLeast }]),
    ...(atMost === undefined ? [] : [{ text: `under ${atMost}`, reached: atMost / value }]),
    ...(p99AtMostMs === undefined || p99Ms === undefined
      ? []
      : [{ text: `p99 under ${p99AtMostMs} ms`, reached: p99AtMostMs / p99Ms }]),
    ...(times === undefined || other === undefined
      ? []
      : [{ text: `${times.factor} x ${times.called}`, reached: value / (times.factor * other.value) }]),
  ];
}

/** With millions of emails stored, or runs asleep: close to the same figure with few. */
function storedLimits({ name, node, value, unit }: Measurement, rows: readonly Measurement[]): Limit[] {
  const isStored = /^.*, [\d.]+ million (?:emails stored|contacts stored|runs asleep)$/.test(name);
  if (!isStored) return [];
  const before = rows.find((row) => row.node === node && row.name === name.replace(/[\d.]{1,10} million/, 'few'));
  if (before === undefined) return [];
  const factor = name.endsWith('asleep') ? asleepFactor : storedFactor;
  const reached = unit.endsWith('/s') ? (value * factor) / before.value : (before.value * factor) / value;
  return [{ text: `within ${factor} of few`, reached }];
}
