import type { ApiDescription } from '#platform/api-description';
import { maxAttachments } from '../attachment.request.js';
import { maxNaturalLength } from '../scheduled-at.js';
import { maxHeaders, maxHeadersLength, maxValueLength } from '../../../domain/custom-headers.js';
import { maxContentIdLength, maxFileNameLength, maxPathLength } from '../../../domain/draft-attachment.js';
import { maxRecipients, maxSubjectLength } from '../../../domain/draft.js';
import { maxTags } from '../../../domain/tags.js';

const address = 'an address such as `ada@customer.example`, or one with a name such as `Ada <ada@customer.example>`';
const together = `\`to\`, \`cc\` and \`bcc\` together have at most ${maxRecipients}.`;

const oneOrMore = (minItems: number): readonly object[] => [
  { type: 'string' },
  { type: 'array', minItems, maxItems: maxRecipients, items: { type: 'string' } },
];

const scheduledAt =
  'When to send: ISO 8601 with a time zone (`2026-12-01T09:00:00Z`), or natural English such as `in 1 hour` or ' +
  '`tomorrow at 9am`, read as UTC, of at most ' +
  `${maxNaturalLength} characters. At most 30 days ahead.`;

const emailFields = {
  id: 'Id of the email.',
  message_id: 'The `Message-ID` header of the email, with its angle brackets.',
  to: 'Recipients, as in the request.',
  from: 'Sender, as in the request.',
  created_at: 'When the email was accepted.',
  subject: 'Subject line.',
  bcc: 'Blind-copy recipients; null where there are none.',
  cc: 'Copy recipients; null where there are none.',
  reply_to: 'Addresses for replies; null where there are none.',
  last_event:
    'State of the email: `queued` or `scheduled` before delivery, afterwards the latest event of its recipients.',
  scheduled_at: 'When the email will be sent; null where it was not scheduled.',
};

const attachmentFields = {
  id: 'Id of the attachment.',
  filename: 'File name; absent where it has none.',
  size: { description: 'Bytes, decoded.', minimum: 0 },
  content_type: 'Media type.',
  content_disposition: '`inline` for content that the html refers to by `cid:`, else `attachment`.',
  content_id: 'Name by which the html refers to it as `cid:<content_id>`; absent where it is not inline.',
  download_url: { description: 'URL of the content. Needs no API key, for about an hour.', format: 'uri' },
  expires_at: 'When `download_url` expires.',
};

export const emailSchemas: NonNullable<ApiDescription['schemas']> = {
  SendEmailRequest: {
    description:
      'An email to send. `from`, `to`, `subject` and one of `html`, `text` and `template` are required; a template may have ' +
      'the sender and the subject.',
    properties: {
      from: `Sender: ${address}. Its domain must be one of yours, verified for sending.`,
      to: { description: `Recipients: ${address}. ${together}`, oneOf: oneOrMore(1) },
      cc: { description: `Copy recipients. ${together}`, oneOf: oneOrMore(0) },
      bcc: { description: `Blind-copy recipients, which no other recipient sees. ${together}`, oneOf: oneOrMore(0) },
      reply_to: { description: `Addresses for replies, at most ${maxRecipients}.`, oneOf: oneOrMore(0) },
      subject: {
        description: `Subject line without line breaks, at most ${maxSubjectLength} characters.`,
        maxLength: maxSubjectLength,
      },
      html: 'HTML body.',
      text: 'Plain text body. Derived from `html` where it is absent; an empty string means: no plain text body.',
      headers: {
        description:
          `Further headers by name: at most ${maxHeaders}, of at most ${maxValueLength} characters each and ` +
          `${maxHeadersLength} together. Headers that the service writes itself, such as \`Date\` or \`DKIM-Signature\`, ` +
          'are refused.',
        maxProperties: maxHeaders,
        additionalProperties: { type: 'string', maxLength: maxValueLength },
      },
      scheduled_at: `${scheduledAt} Without it the email is sent at once.`,
      attachments: {
        description: `Files, at most ${maxAttachments}.`,
        maxItems: maxAttachments,
      },
      tags: {
        description: `Your own names and values, which webhooks include, at most ${maxTags}.`,
        maxItems: maxTags,
      },
      topic_id: 'Id of a topic. There are no topics yet, so any id is refused with 404.',
      template: {
        description:
          'A published template in place of `html` and `text`. `from`, `subject` and `reply_to` of the request take precedence. ' +
          'The email keeps the version that is published when it is accepted.',
        properties: {
          id: { type: 'string', description: 'Id of the template, or its alias.' },
          variables: {
            type: 'object',
            description: 'Values by the keys of its variables. Other keys are ignored.',
            additionalProperties: true,
          },
        },
      },
      tracking: {
        description:
          'Whether opens and clicks are tracked; absent fields have the setting of the domain. An addition of Postrider.',
        properties: {
          opens: { type: 'boolean', description: 'Track opens with a pixel in the html.' },
          clicks: { type: 'boolean', description: 'Track clicks by rewriting the links of the html.' },
        },
      },
    },
  },
  AttachmentRequest: {
    description:
      'A file, given as `content` or as `path`. File types that run when they are opened, such as `.exe`, are refused.',
    properties: {
      content: {
        description: 'The bytes in base64. Clients may also send them as an array of integers from 0 to 255.',
        contentEncoding: 'base64',
      },
      path: {
        description:
          `An http or https URL of at most ${maxPathLength} characters that the service fetches before it accepts the ` +
          'email. Private addresses are refused.',
        maxLength: maxPathLength,
      },
      filename: { description: `File name, at most ${maxFileNameLength} characters.`, maxLength: maxFileNameLength },
      content_type: 'Media type. Default: by the extension of the file name, or `application/octet-stream`.',
      content_id: {
        description:
          `Makes the file inline: html refers to it as \`cid:<content_id>\`. At most ${maxContentIdLength} characters, ` +
          'printable ASCII without spaces.',
        maxLength: maxContentIdLength,
      },
    },
  },
  TagResponse: {
    description: 'Your own name and value.',
    properties: {
      name: {
        description: 'ASCII letters, digits, `_` and `-`, 1 to 256 characters.',
        pattern: '^[A-Za-z0-9_-]{1,256}$',
      },
      value: {
        description: 'ASCII letters, digits, `_` and `-`, 1 to 256 characters.',
        pattern: '^[A-Za-z0-9_-]{1,256}$',
      },
    },
  },
  UpdateEmailRequest: {
    description: 'The new time of a scheduled email.',
    properties: { scheduled_at: scheduledAt },
  },
  SentEmailResponse: { description: 'An accepted email.', properties: { id: 'Id of the email.' } },
  EmailReferenceResponse: {
    description: 'The email that was changed.',
    properties: { object: 'Always `email`.', id: 'Id of the email.' },
  },
  BatchAcceptedResponse: {
    description: 'The result of a batch.',
    properties: {
      data: 'The accepted emails, in the order of the request.',
      errors: 'The emails that were not accepted. Only for a permissive batch.',
    },
  },
  BatchFaultResponse: {
    description: 'Why an email of a permissive batch was not accepted.',
    properties: {
      index: { description: 'Position in the request, from 0.', minimum: 0 },
      message: 'What is wrong with it.',
    },
  },
  EmailSummaryResponse: { description: 'An email without its bodies.', properties: emailFields },
  EmailResponse: {
    description: 'An email.',
    properties: {
      object: 'Always `email`.',
      ...emailFields,
      html: 'HTML body; null where it has none.',
      text: 'Plain text body; null where it has none.',
      tags: 'Tags; absent where it has none.',
      topic_id: 'Always null: there are no topics yet.',
    },
  },
  EmailEventResponse: {
    description: 'Something that happened to an email.',
    properties: {
      seq: { description: 'Number of the event within its email, from 1 without gaps.', minimum: 1 },
      type: 'What happened, such as `email.delivered`.',
      created_at: 'When it happened.',
      recipient: 'Address of the recipient concerned; null where the event concerns the whole email.',
      data: 'Details, by type of event; null where there are none.',
    },
  },
  AttachmentSummaryResponse: { description: 'An attachment of an email.', properties: attachmentFields },
  AttachmentResponse: {
    description: 'An attachment of an email.',
    properties: { object: 'Always `attachment`.', ...attachmentFields },
  },
  SharedEmailResponse: {
    description: 'A link to an email.',
    properties: {
      object: 'Always `email`.',
      id: 'Id of the email.',
      url: { description: 'Page that shows the email to anyone with the link, without an API key.', format: 'uri' },
    },
  },
  EmailPreviewResponse: {
    description: 'A link to the HTML of an email, for a frame.',
    properties: {
      object: 'Always `email_preview`.',
      id: 'Id of the email.',
      url: { description: 'Address of the document. It needs no API key.', format: 'uri' },
      expires_at: 'When the link ends.',
    },
  },
  ShareEmailRequest: {
    description: 'How long the link will be valid.',
    properties: {
      expires_in:
        'A duration such as `10m`, `2 hours` or `1 day`: a number and a unit (seconds, minutes, hours or days, in full or ' +
        'shortened). At most 48 hours.',
    },
  },
};
