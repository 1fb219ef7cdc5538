import { QueryList, QueryParameter } from '#http/openapi';
import { applyDecorators } from '@nestjs/common';
import { lastEvents } from '../../domain/email-filter.js';
import { emailId, exampleId } from './example-ids.js';

const several = 'Several are separated by commas, or the parameter is repeated.';
const uuid = { type: 'string', format: 'uuid' };
const text = { maxLength: 320 };

/** The filters of a page of emails that Postrider adds to the contract. */
export const FilteredEmails = (): MethodDecorator =>
  applyDecorators(
    QueryParameter('created_before', 'Emails accepted before this date or time.', {}, '2026-12-01'),
    QueryParameter('created_after', 'Emails accepted at or after this date or time.', {}, '2026-11-30T08:00:00Z'),
    QueryParameter(
      'tag',
      'Emails with this tag: its name, or name and value with a colon between them.',
      text,
      'category:receipt',
    ),
    QueryParameter('broadcast_id', 'Emails of this broadcast, which are found at once.', uuid, exampleId),
    QueryList('api_key_id', `Emails sent with these API keys. ${several}`, uuid, [exampleId]),
    QueryList('domain_id', `Emails from these sending domains. ${several}`, uuid, [exampleId]),
    QueryList(
      'status',
      `Emails whose last event is one of these. ${several}`,
      { type: 'string', enum: [...lastEvents] },
      ['delivered', 'bounced'],
    ),
    QueryParameter('subject', 'Words that all occur in the subject, in upper or lower case.', text, 'your order'),
    QueryParameter(
      'recipient',
      'Emails to this address in `to`, `cc` or `bcc`. A whole address is found at once among millions; with a part of one, ' +
        'the emails are examined one by one.',
      text,
      'ann@example.org',
    ),
    QueryParameter(
      'q',
      'What a search box holds: the id of an email, a recipient (with `@`), or words of the subject.',
      text,
      emailId,
    ),
  );
