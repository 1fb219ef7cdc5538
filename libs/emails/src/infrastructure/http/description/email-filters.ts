import { DomainError } from '#kernel';
import { thrownBy } from '#platform/api-description';
import type { ParameterDescription } from '#platform/api-description';
import { parseEmailFilter } from '../../../domain/email-filter.js';
import { emailId } from './email-examples.js';

const several = 'Several are separated by commas, or the parameter is repeated.';
const id = '0193a1ee-0000-7000-8000-000000000000';

/** The filters of `GET /emails`. */
export const filterParameters = {
  q: {
    description: 'What a search box holds: the id of an email, a recipient (with `@`), or words of the subject.',
    schema: { maxLength: 320 },
    example: emailId,
  },
  recipient: {
    description:
      'Emails to this address in `to`, `cc` or `bcc`. A whole address is found at once among millions; with a part of one, ' +
      'the emails are examined one by one.',
    schema: { maxLength: 320 },
    example: 'ann@example.org',
  },
  subject: {
    description: 'Words that all occur in the subject, in upper or lower case.',
    schema: { maxLength: 320 },
    example: 'your order',
  },
  status: { description: `Emails whose last event is one of these. ${several}`, example: ['delivered', 'bounced'] },
  domain_id: { description: `Emails from these sending domains. ${several}`, example: [id] },
  api_key_id: { description: `Emails sent with these API keys. ${several}`, example: [id] },
  broadcast_id: { description: 'Emails of this broadcast, which are found at once.', example: id },
  tag: {
    description: 'Emails with this tag: its name, or name and value with a colon between them.',
    schema: { maxLength: 320 },
    example: 'category:receipt',
  },
  created_after: {
    description: 'Emails accepted at or after this date or time.',
    example: '2026-11-30T08:00:00Z',
  },
  created_before: {
    description: 'Emails accepted before this date or time.',
    example: '2026-12-01',
  },
} satisfies Record<string, ParameterDescription>;

export const filterErrors: readonly DomainError[] = [
  thrownBy(() => parseEmailFilter({ status: 'lost' })),
  thrownBy(() => parseEmailFilter({ domain_id: 'acme' })),
  thrownBy(() => parseEmailFilter({ broadcast_id: 'news' })),
  thrownBy(() => parseEmailFilter({ created_after: 'yesterday' })),
];
