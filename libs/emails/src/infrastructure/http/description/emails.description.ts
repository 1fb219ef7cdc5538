import { DomainNotVerifiedError, SandboxDomainError, SendingDisabledError } from '#domains';
import {
  ConcurrentIdempotentRequestsError,
  InvalidIdempotencyKeyError,
  InvalidIdempotentRequestError,
  maxKeyLength,
} from '#idempotency';
import { DomainError, MissingFieldError, NotFoundError, ValidationError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import { checkedValue, MissingVariablesError, TemplateNotPublishedError } from '#templates';
import type { ApiDescription } from '#platform/api-description';
import { checkBatchSize, maxBatchSize } from '../../../domain/batch.js';
import { maxEmailBytes } from '../../../domain/draft.js';
import {
  EmailTooLargeError,
  InvalidMailboxError,
  MissingBodyError,
  NoRoomForMailError,
  NotScheduledError,
  SenderNotAllowedError,
} from '../../../domain/email-errors.js';
import { decodeAttachments } from '../attachment.request.js';
import { parseScheduledAt } from '../scheduled-at.js';
import { filterErrors, filterParameters } from './email-filters.js';
import { batchExamples, emailExample, emailId, eventsExample, otherEmailId, sendExamples } from './email-examples.js';
import { emailSchemas } from './email-schemas.js';

const megabytes = maxEmailBytes / (1024 * 1024);

const id = idParameter('Id of the email, from the response to the send request.', emailId);

const idempotencyKey = {
  description:
    'Makes repeating the request safe: with the same key and body, you get the first response again and nothing ' +
    `is sent twice. 1 to ${maxKeyLength} characters of your choice; remembered for 24 hours, separately for ` +
    '`POST /emails` and `POST /emails/batch`. Without it, each request sends.',
  schema: { minLength: 1, maxLength: maxKeyLength },
  example: 'welcome-user/123456789',
};

const sendErrors: readonly DomainError[] = [
  new MissingFieldError('from'),
  new MissingBodyError(),
  new InvalidMailboxError('to'),
  thrownBy(() => decodeAttachments([{ filename: 'empty.pdf' }])),
  new DomainNotVerifiedError('acme.example'),
  new SendingDisabledError('acme.example'),
  new SandboxDomainError('sandbox.postrider.test'),
  new SenderNotAllowedError(),
  new NotFoundError('Template'),
  new TemplateNotPublishedError(),
  new MissingVariablesError(['ORDER']),
  thrownBy(() => checkedValue('ORDER', 'number', 'many')),
  new NotFoundError('Topic'),
  new InvalidIdempotencyKeyError(),
  new InvalidIdempotentRequestError(),
  new ConcurrentIdempotentRequestsError(),
  new EmailTooLargeError(),
  new NoRoomForMailError(),
];

const scheduleErrors: readonly DomainError[] = [
  invalidId('id'),
  new NotFoundError('Email'),
  new NotScheduledError('delivered'),
];

export const apiDescription: ApiDescription = {
  tag: 'Emails',
  tagDescription:
    'Send emails, one or up to a hundred at a time, now or later, and follow the delivery to each recipient.',
  schemas: emailSchemas,
  operations: {
    'POST /emails': {
      operationId: 'sendEmail',
      summary: 'Send an email',
      description:
        'Accepts an email for delivery. The response comes once the email and its place in the queue are stored durably; ' +
        'delivery follows at once, or at `scheduled_at`. A refusal changes nothing. An email has at most 50 recipients ' +
        `in \`to\`, \`cc\` and \`bcc\` together and at most ${megabytes} MB, attachments in base64 included.`,
      sends: true,
      parameters: { 'idempotency-key': idempotencyKey },
      request: { description: 'The email.', examples: sendExamples },
      responses: { 200: { description: 'The email has been accepted.', example: { id: emailId } } },
      errors: sendErrors,
    },
    'POST /emails/batch': {
      operationId: 'sendEmailBatch',
      summary: 'Send a batch of emails',
      description:
        `Accepts 1 to ${maxBatchSize} emails with one request, which counts once against the rate limit. All of them ` +
        'become durable together. By default the whole batch is refused where one email cannot be accepted; with ' +
        '`x-batch-validation: permissive` the others are accepted and the faults listed. The emails of a batch together ' +
        `have at most ${megabytes} MB.`,
      sends: true,
      parameters: {
        'idempotency-key': idempotencyKey,
        'x-batch-validation': {
          description:
            '`strict`: one fault refuses the whole batch. `permissive`: valid emails are accepted, and `errors` lists the others.',
          schema: { enum: ['strict', 'permissive'], default: 'strict' },
          example: 'permissive',
        },
      },
      request: { description: `1 to ${maxBatchSize} emails.`, examples: batchExamples },
      responses: {
        200: {
          description: 'The batch has been accepted: ids in the order of the request.',
          example: {
            data: [{ id: emailId }, { id: otherEmailId }],
            errors: [{ index: 2, message: new MissingFieldError('to').message }],
          },
        },
      },
      errors: [
        thrownBy(() => checkBatchSize(0)),
        new ValidationError('The `x-batch-validation` header must be `strict` or `permissive`.'),
        ...sendErrors,
      ],
    },
    'GET /emails': {
      operationId: 'listEmails',
      summary: 'List emails',
      description:
        'The emails of your team without their bodies, newest first, in pages. They are kept for 30 days by default. With a ' +
        'filter, a request examines a bounded number of emails, so a page may have fewer items than asked for: as long as ' +
        '`next` is not null, go on with it as `after` (or `before`).',
      parameters: { ...pageParameters, ...filterParameters },
      responses: {
        200: {
          description: 'A page of emails.',
          example: { object: 'list', has_more: false, data: [emailExample.summary] },
        },
      },
      errors: [...pageErrors, ...filterErrors],
    },
    'GET /emails/{id}': {
      operationId: 'getEmail',
      summary: 'Get an email',
      description: 'One email with its bodies and its state. Attachments have separate operations.',
      parameters: { id },
      responses: { 200: { description: 'The email.', example: emailExample.whole } },
      errors: [invalidId('id'), new NotFoundError('Email')],
    },
    'PATCH /emails/{id}': {
      operationId: 'updateEmail',
      summary: 'Reschedule an email',
      description: 'Changes the time of a scheduled email. Nothing else of an email can be changed.',
      parameters: { id },
      request: {
        description: 'The new time.',
        examples: {
          natural: { summary: 'A time in natural English, read as UTC', value: { scheduled_at: 'in 2 hours' } },
        },
      },
      responses: { 200: { description: 'The email has its new time.', example: { object: 'email', id: emailId } } },
      errors: [
        new MissingFieldError('scheduled_at'),
        thrownBy(() => parseScheduledAt('someday', new Date(0))),
        ...scheduleErrors,
      ],
    },
    'POST /emails/{id}/cancel': {
      operationId: 'cancelEmail',
      summary: 'Cancel a scheduled email',
      description:
        'Cancels a scheduled email, so that it is never sent. An email that has been released for delivery cannot be canceled.',
      parameters: { id },
      responses: { 200: { description: 'The email is canceled.', example: { object: 'email', id: emailId } } },
      errors: scheduleErrors,
    },
    'GET /emails/{id}/events': {
      operationId: 'listEmailEvents',
      summary: 'List the events of an email',
      description: 'Everything that has happened to an email, oldest first, in one list.',
      parameters: {
        id,
        after: {
          description: 'The `seq` of an event: only later ones are listed.',
          schema: { type: 'integer', minimum: 0, maximum: 999_999_999, default: 0 },
          example: 1,
        },
      },
      responses: { 200: { description: 'The events.', example: eventsExample } },
      errors: [
        invalidId('id'),
        new NotFoundError('Email'),
        new ValidationError('The `after` parameter must be the `seq` of an event.'),
      ],
    },
  },
};
