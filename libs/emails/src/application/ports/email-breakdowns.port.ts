import type { Breakdown, BreakdownKey } from '../../domain/email-breakdown.js';
import type { EmailFilter } from '../../domain/email-filter.js';

/** Counts what became of a team's mail. Examines a bounded number of emails, the newest first. */
export abstract class EmailBreakdowns {
  abstract count(teamId: string, by: BreakdownKey, filter: EmailFilter): Promise<Breakdown>;
}
