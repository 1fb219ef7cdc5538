import { idParameter } from '#platform/api-description';

export const broadcastId = '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6';
export const segmentId = '0193a1f6-2c11-7a0d-8e31-b2c3d4e5f607';
export const contactId = '0193a1f6-0b7e-7d26-8b07-c3d4e5f60718';
export const created = '2026-11-30 20:39:59.54+00';
export const sent = '2026-11-30 20:45:02.1+00';

export const id = idParameter('Id of the broadcast.', broadcastId);
export const reference = { object: 'broadcast', id: broadcastId };

export const summary = {
  id: broadcastId,
  name: 'November news',
  audience_id: segmentId,
  segment_id: segmentId,
  topic_id: null,
  status: 'sent',
  created_at: created,
  scheduled_at: null,
  sent_at: sent,
};

export const content = {
  from: 'Acme <news@acme.example>',
  subject: 'News for {{{FIRST_NAME|you}}}',
  html: '<p>Hello {{{FIRST_NAME|there}}}</p><p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>',
};

export const subjectTest = {
  subjects: ['What is new at Acme'],
  share_percent: 20,
  wait_minutes: 120,
  winner: 'clicks',
};

export const subjectResults = {
  subjects: [
    {
      ...{ subject: content.subject, score: 9 },
      ...{ sent: 100, delivered: 99, bounced: 1, complained: 0, opened: 41, clicked: 11, unsubscribed: 1 },
    },
    {
      ...{ subject: 'What is new at Acme', score: 14 },
      ...{ sent: 900, delivered: 894, bounced: 6, complained: 0, opened: 402, clicked: 131, unsubscribed: 4 },
    },
  ],
  winner: { index: 1, subject: 'What is new at Acme', chosen_by: 'clicks', chosen_at: '2026-11-30 20:42:01.3+00' },
};
