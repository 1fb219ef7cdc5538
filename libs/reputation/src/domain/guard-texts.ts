import { RateEvidence, worstOf } from './evidence.js';
import { GuardStep } from './guard-limits.js';

const names: Readonly<Record<string, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo',
  apple: 'Apple',
  others: 'other providers',
};

/** The provider as people call it. */
export function nameOfProvider(provider: string): string {
  return names[provider] ?? provider;
}

const whats: Readonly<Record<RateEvidence['id'], string>> = {
  complaint_rate: 'were reported as spam',
  bad_address_rate: 'went to addresses that do not exist',
  spam_refusal_rate: 'were refused as spam or because the sender is not trusted',
};

const digits = (value: number): string => String(Math.round(value * 100) / 100);

/** Why the guard took the step: the rate that called for the furthest one. Empty if none did. */
export function reasonOf(rates: readonly RateEvidence[]): string {
  const worst = worstOf(rates);
  const rate = rates.find(({ step }) => step === worst && step !== 'none');
  if (rate === undefined) return '';
  return (
    `${rate.count} of ${rate.of} messages (${digits(rate.percent)}%) ${whats[rate.id]}: at least ${digits(rate.atLeast)}% ` +
    `with 95% certainty, where the limit is ${digits(rate.limit ?? 0)}%.`
  );
}

/** What the step does to mail of the domain to the provider. */
export function effectOf(step: GuardStep, domain: string, provider: string, perHour: number): string {
  const to = `of ${domain} to ${nameOfProvider(provider)}`;
  switch (step) {
    case 'none':
      return `Mail ${to} goes as usual.`;
    case 'warned':
      return `Mail ${to} goes as usual, but its rates are too high.`;
    case 'bulk_slowed':
      return `Bulk mail ${to} goes at ${perHour} messages an hour.`;
    case 'bulk_paused':
      return `Bulk mail ${to} waits. Transactional mail goes on.`;
    case 'all_slowed':
      return `Bulk mail ${to} waits, and transactional mail goes at ${perHour} messages an hour.`;
    case 'all_paused':
      return `All mail ${to} waits.`;
  }
}
