import type { ApiDescription } from '#platform/api-description';
import {
  maxContentBytes,
  maxNameLength,
  maxPreviewLength,
  maxReplyTo,
  maxSubjectLength,
} from '../../../domain/broadcast-fields.js';
import {
  defaultBouncePercent,
  defaultComplaintPercent,
  maxTestedSubjects,
  maxWaitMinutes,
} from '../../../domain/broadcast-options.js';

const tags = 'May have tags such as `{{{FIRST_NAME|there}}}`.';
const bytes = `\`html\` and \`text\` together have at most ${maxContentBytes} bytes.`;

const requestFields = {
  name: {
    description: `Name for people, at most ${maxNameLength} characters. It may always be changed.`,
    maxLength: maxNameLength,
  },
  segment_id: 'The segment to whose contacts it is sent.',
  audience_id: 'Old name of `segment_id`.',
  topic_id: 'The topic. Contacts that opted out of it get nothing. Null takes it away.',
  from: 'Sender, of a verified domain.',
  reply_to: {
    description: `Addresses for replies, at most ${maxReplyTo}.`,
    oneOf: [{ type: 'string' }, { type: 'array', maxItems: maxReplyTo, items: { type: 'string' } }],
  },
  subject: { description: `Subject, at most ${maxSubjectLength} characters. ${tags}`, maxLength: maxSubjectLength },
  preview_text: {
    description: `What mail programs show behind the subject; hidden in the email itself. A blank takes it away. ${tags}`,
    maxLength: maxPreviewLength,
  },
  html: `HTML body, with \`{{{RESEND_UNSUBSCRIBE_URL}}}\` where the link to unsubscribe should be. ${tags} ${bytes}`,
  text: `Plain text body. Derived from the html where it is absent. ${tags}`,
  options:
    'Addition of Postrider: how it is sent. It replaces all options. `throttle_per_hour`: emails per hour at most. And one of: ' +
    '`first_share` (`percent` or `contacts`, `wait_minutes`, ' +
    `\`max_bounce_percent\` (${defaultBouncePercent}), \`max_complaint_percent\` (${defaultComplaintPercent})): a share gets it first, and the rest after the wait if no limit is exceeded, or, without \`wait_minutes\`, once it is resumed; ` +
    '`local_time` (`property`, `time_zone`): at the time of day in the zone that the property of each contact names; ' +
    `\`subject_test\` (\`subjects\`: up to ${maxTestedSubjects} more, \`share_percent\`, \`wait_minutes\`, \`winner\`: \`clicks\` or \`opens\`): a share tries the subjects, and the rest gets the best. Waits are at most ${maxWaitMinutes} minutes.`,
};

const object = 'Always `broadcast`.';
const reference = { object, id: 'Id of the broadcast.' };
const status =
  '`draft` and `scheduled` can be edited, `queued` is being sent, `paused` waits in the middle of it, `sent` and `canceled` are over.';

const summaryFields = {
  id: 'Id of the broadcast.',
  name: 'Name for people; null where it has none.',
  audience_id: 'The same as `segment_id`, under its old name.',
  segment_id: 'The segment to whose contacts it is sent.',
  topic_id: 'The topic; null where it has none.',
  status,
  created_at: 'When it was created.',
  scheduled_at: 'When it is or was to be sent; null where no time was given.',
  sent_at: 'When the last email was accepted; null before.',
};

const of = (what: string): string => `Recipients ${what}.`;

export const broadcastSchemas: ApiDescription['schemas'] = {
  CreateBroadcastRequest: {
    description: 'A broadcast.',
    properties: {
      ...requestFields,
      send: 'Whether it is sent at once, or at `scheduled_at`. Otherwise it is a draft.',
      scheduled_at: 'When it is sent: ISO 8601 with a time zone, or natural English. Only with `send`.',
    },
  },
  UpdateBroadcastRequest: { description: 'The fields to change.', properties: requestFields },
  SendBroadcastRequest: {
    description: 'When it is sent.',
    properties: { scheduled_at: 'ISO 8601 with a time zone, or natural English. At once where it is absent.' },
  },
  BroadcastReferenceResponse: { description: 'The broadcast that was written.', properties: reference },
  RemovedBroadcastResponse: {
    description: 'The broadcast that was deleted.',
    properties: { ...reference, deleted: 'Always true.' },
  },
  BroadcastSummaryResponse: { description: 'A broadcast in a list.', properties: summaryFields },
  BroadcastResponse: {
    description: 'A broadcast.',
    properties: {
      object,
      ...summaryFields,
      from: 'Sender.',
      subject: 'Subject.',
      reply_to: 'Addresses for replies; null where there are none.',
      preview_text: 'What mail programs show behind the subject; null where there is none.',
      html: 'HTML body; null where there is none.',
      text: 'Plain text body; null where it is derived from the html.',
      options: 'Addition of Postrider: how it is sent; null: at once and to all.',
      subject_results:
        'Addition of Postrider: what became of each subject of a `subject_test`. Absent without one, and before the first email.',
    },
  },
  SubjectResultsResponse: {
    description: 'What became of the subjects of a test.',
    properties: {
      subjects: 'The subject of the broadcast itself, then those of `subject_test`, in their order.',
      winner: 'The subject that the rest of the audience gets; null until it is chosen.',
    },
  },
  SubjectResultResponse: {
    description:
      'What became of those who got one subject: in the test and, for the winner, in the rest of the audience.',
    properties: {
      subject: 'The subject as it was written, with its tags.',
      score: 'How many had clicked or opened it when the winner was chosen; null before.',
      sent: of('whose email was handed to delivery'),
      delivered: of('whose mail server took the email'),
      bounced: of('whose email bounced'),
      complained: of('who reported it as spam'),
      opened: of('who opened it; machines do not count'),
      clicked: of('who clicked a link; machines do not count'),
      unsubscribed: of('who unsubscribed through it'),
    },
  },
  SubjectWinnerResponse: {
    description: 'The subject that has won.',
    properties: {
      index: 'Its place in `subjects`.',
      subject: 'The subject.',
      chosen_by: 'By what it was chosen: the most `clicks`, or the most `opens`. Of equal ones the first has won.',
      chosen_at: 'When it was chosen.',
    },
  },
};

export const controlSchemas: ApiDescription['schemas'] = {
  PreviewBroadcastRequest: {
    description: 'As whom to see it. Without a contact: as someone of the segment.',
    properties: { contact_id: 'Id of a contact.', email: 'Address of a contact.' },
  },
  BroadcastPreviewResponse: {
    description: 'A broadcast as one contact would get it.',
    properties: {
      object: 'Always `broadcast_preview`.',
      id: 'Id of the broadcast.',
      contact_id: 'The contact; null where nobody is in the segment, and every fallback shows.',
      email: 'Address of the contact.',
      from: 'Sender.',
      reply_to: 'Addresses for replies.',
      subject: 'Rendered subject.',
      html: 'Rendered html, with the hidden preview text. The link to unsubscribe stays a tag.',
      text: 'Rendered text; null where it is derived from the html.',
    },
  },
  TestBroadcastRequest: { description: 'Where to send it.', properties: { to: 'Up to 10 addresses.' } },
  TestBroadcastResponse: {
    description: 'The emails.',
    properties: { data: 'The emails, in the order of the addresses.' },
  },
  TestEmailResponse: { description: 'An email.', properties: { id: 'Id of the email.' } },
};

export const statisticsSchemas: ApiDescription['schemas'] = {
  BroadcastRecipientResponse: {
    description: 'A recipient to whom something happened.',
    properties: {
      id: 'Cursor of this row.',
      contact_id: 'The contact; null once it has been erased.',
      email: 'Address at the start of the broadcast; `erased` once the contact has been erased.',
      count: 'How often. With `type=opened` and `type=clicked`.',
      bounce_type: 'Kind of the bounce. With `type=bounced`.',
      clicked_links: 'Links and clicks, at most 100. With `type=clicked`.',
    },
  },
  ClickedLinkOfRecipientResponse: {
    description: 'A link that a recipient clicked.',
    properties: { url: 'The address of the link.', clicks: 'How often.' },
  },
  ClickedLinkResponse: {
    description: 'A link of a broadcast that was clicked.',
    properties: {
      id: 'Cursor of this row.',
      url: 'The address of the link.',
      clicks: 'How often it was clicked.',
      unique_clicks: 'How many recipients clicked it.',
    },
  },
  BroadcastProgressResponse: {
    description: 'How far a broadcast has come.',
    properties: {
      object: 'Always `broadcast_progress`.',
      id: 'Id of the broadcast.',
      status,
      paused_because: 'Why it has paused itself, for example `daily_quota_exceeded`; null where it has not.',
      queued_at: 'When sending began.',
      sent_at: 'When the last email was accepted.',
      counts: 'How many recipients. Each counts once in each.',
    },
  },
  ProgressCountsResponse: {
    description: 'How many recipients a broadcast has, and what became of them.',
    properties: {
      planned: 'Contacts of the audience, which was fixed at the start.',
      accepted: of('whose email was accepted'),
      skipped: of('that get no email'),
      skipped_unsubscribed: of('that want no broadcasts'),
      skipped_not_subscribed: of('that do not have the topic'),
      skipped_suppressed: of('whose address is suppressed'),
      skipped_deleted: of('that were deleted since the start'),
      skipped_invalid: of('for whom no email can be made'),
      sent: of('whose email was handed to delivery'),
      delivered: of('whose mail server took the email'),
      delivery_delayed: of('whose delivery was delayed'),
      bounced: of('whose email bounced'),
      complained: of('who reported it as spam'),
      suppressed: of('whose address was suppressed before delivery'),
      failed: of('to whom delivery was given up'),
      opened: of('who opened it; machines do not count'),
      clicked: of('who clicked a link; machines do not count'),
      unsubscribed: of('who unsubscribed through it'),
    },
  },
};
