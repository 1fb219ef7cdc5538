import type { EmailSearch, FoundEmails } from '../../domain/email-filter.js';

/**
 * Finds emails of a team. Whatever the filter, one call examines a bounded number of emails and says where to continue.
 */
export abstract class EmailFinder {
  abstract find(teamId: string, search: EmailSearch): Promise<FoundEmails>;
}
