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
