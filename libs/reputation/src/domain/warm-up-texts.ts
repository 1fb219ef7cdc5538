import { nameOfProvider } from './guard-texts.js';
import { badPercent, EndedDay, hourlyLimit, limitOf, maxBadPercent, Ramp } from './warm-up.js';

/** Why mail waits that the warm-up of its domain does not let go now. */
export function warmUpText(domain: string, provider: string, ramp: Ramp, schedule: readonly number[]): string {
  const limit = limitOf(ramp, schedule);
  const to = `of ${domain} to ${nameOfProvider(provider)}`;
  const text =
    ramp.daySent >= limit
      ? `The domain warms up: ${ramp.daySent} messages ${to} went today, where the limit of the day is ${limit}.`
      : `The domain warms up: ${ramp.hourSent} messages ${to} went this hour, where the limit is ${hourlyLimit(limit)}, a part of the ${limit} of today.`;
  return `${text} ${lastDayText(ramp.lastDay)}`.trim();
}

/** Why the limit is as it is. Empty on the first day, and after a good one. */
export function lastDayText(lastDay: EndedDay | null): string {
  if (lastDay === null) return '';
  const { decision, bad, sent, limit } = lastDay;
  switch (decision) {
    case 'advanced':
      return '';
    case 'too_little_mail':
      return `The limit stays, because only ${sent} of ${limit} messages went on the last day.`;
    case 'slowed':
      return (
        `The limit stays, because ${bad} of ${sent} messages of the last day (${Math.round(badPercent({ bad, sent }) * 10) / 10}%) ` +
        `were deferred or refused as spam, and at most ${maxBadPercent}% may be.`
      );
  }
}
