import { createPublicKey, KeyObject, sign } from 'node:crypto';
import type { Sink } from '../sink.js';
import type { Kill, Round } from './round.js';

/** What became of the emails of a round, each counted by its own number. */
export interface EmailCounts {
  readonly sent: number;
  /** Answered with 2xx. */
  readonly accepted: number;
  /** Messages that the receiving server acknowledged. */
  readonly received: number;
  readonly received_distinct: number;
  /** Distinct emails that had been accepted. The others arrived although their client got no answer. */
  readonly received_accepted: number;
  readonly lost: number;
  /** Emails that arrived more than once. */
  readonly repeated: number;
}

export interface SpeedRound {
  readonly emails: number;
  readonly seconds: number;
  readonly emails_per_second: number;
  readonly emails_per_second_per_core: number;
  readonly cpu_seconds: Readonly<Record<string, number>>;
  readonly cpu_ms_per_email: Readonly<Record<string, number>>;
  readonly cpu_ms_per_email_without_signature: Readonly<Record<string, number>>;
  readonly counts: EmailCounts;
}

export interface KillRound {
  readonly kills: readonly Kill[];
  readonly counts: EmailCounts;
}

export interface SystemFigures {
  readonly signer: string;
  readonly warm_up: EmailCounts;
  readonly speed_rounds: readonly SpeedRound[];
  readonly kill_rounds: readonly KillRound[];
  readonly medians: Readonly<
    Record<'emails_per_second' | 'cpu_ms_per_email' | 'cpu_ms_per_email_without_signature', number>
  >;
  readonly totals: EmailCounts & { readonly server_kills: number; readonly postgres_kills: number };
}

export interface SystemRounds {
  readonly signer: string;
  readonly warmUp: Round;
  readonly speed: readonly Round[];
  readonly kill: readonly Round[];
}

/** Figures have three decimals, so that a reader who computes one from the others gets the same. */
export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

export function figuresOf(rounds: SystemRounds, sink: Sink, cores: number, signatureMs: number): SystemFigures {
  const { signer, warmUp, speed, kill } = rounds;
  const speedRounds = speed.map((round) => speedRoundOf(round, signer, sink, cores, signatureMs));
  const kills = kill.flatMap((round) => round.kills);
  return {
    signer,
    warm_up: countsOf([warmUp], sink),
    speed_rounds: speedRounds,
    kill_rounds: kill.map((round) => ({ kills: round.kills, counts: countsOf([round], sink) })),
    medians: {
      emails_per_second: median(speedRounds.map((round) => round.emails_per_second)),
      cpu_ms_per_email: median(speedRounds.map((round) => round.cpu_ms_per_email.total ?? NaN)),
      cpu_ms_per_email_without_signature: median(
        speedRounds.map((round) => round.cpu_ms_per_email_without_signature.total ?? NaN),
      ),
    },
    totals: {
      ...countsOf([warmUp, ...speed, ...kill], sink),
      server_kills: kills.filter(({ process }) => process === 'server').length,
      postgres_kills: kills.filter(({ process }) => process === 'postgres').length,
    },
  };
}

function speedRoundOf(round: Round, signer: string, sink: Sink, cores: number, signatureMs: number): SpeedRound {
  const emails = round.accepted.length;
  const seconds = rounded(round.seconds);
  const cpu = Object.entries(round.cpuSeconds).map(([name, value]) => [name, rounded(value)] as const);
  const cpuMs = cpu.map(([name, value]) => [name, (value * 1_000) / emails] as const);
  const withoutSignature = cpuMs.map(([name, ms]) => [name, name === signer ? ms - signatureMs : ms] as const);
  return {
    emails,
    seconds,
    emails_per_second: rounded(emails / seconds),
    emails_per_second_per_core: rounded(emails / seconds / cores),
    cpu_seconds: Object.fromEntries(cpu),
    cpu_ms_per_email: withTotal(cpuMs),
    cpu_ms_per_email_without_signature: withTotal(withoutSignature),
    counts: countsOf([round], sink),
  };
}

function withTotal(parts: readonly (readonly [string, number])[]): Record<string, number> {
  const total = parts.reduce((sum, [, value]) => sum + value, 0);
  return Object.fromEntries([...parts, ['total', total] as const].map(([name, value]) => [name, rounded(value)]));
}

function countsOf(rounds: readonly Round[], sink: Sink): EmailCounts {
  const timesOf = (numbers: readonly number[]): number[] => numbers.map((no) => sink.deliveries.get(no) ?? 0);
  const sent = timesOf(rounds.flatMap((round) => round.sent));
  const accepted = timesOf(rounds.flatMap((round) => round.accepted));
  return {
    sent: sent.length,
    accepted: accepted.length,
    received: sent.reduce((sum, times) => sum + times, 0),
    received_distinct: sent.filter((times) => times > 0).length,
    received_accepted: accepted.filter((times) => times > 0).length,
    lost: accepted.filter((times) => times === 0).length,
    repeated: sent.filter((times) => times > 1).length,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower = NaN, upper = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return rounded((lower + upper) / 2);
}

/** Adds the public key and an Ed25519 signature over the canonical form of all other fields. */
export function signed<Content extends object>(content: Content, key: KeyObject): object {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const withKey = { ...content, public_key: publicKey };
  return { ...withKey, signature: sign(null, Buffer.from(canonical(withKey)), key).toString('base64') };
}

/** RFC 8785: members sorted by name, no white space, numbers and strings as JavaScript writes them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
