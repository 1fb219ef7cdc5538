export const receivedId = '0193a1f4-52e6-7c1e-9f0b-8e1f4c2d7b90';
export const attachmentId = '0193a1f4-52e6-7d0a-8c5b-7d0a3c5b9f12';
export const threadId = '5f3c2b1a-9d8e-8c7b-8a69-584736251409';

const link = (path: string): string =>
  `https://mail.acme.example/shared/received/${receivedId}/${path}?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo`;
const expiresAt = '2026-11-30T21:39:59.000Z';

const attachment = {
  id: attachmentId,
  filename: 'invoice.pdf',
  size: 20_481,
  content_type: 'application/pdf',
  content_disposition: 'attachment',
  detected_type: 'application/pdf',
};

export const attachmentExample = {
  ...attachment,
  download_url: link(`attachments/${attachmentId}`),
  expires_at: expiresAt,
};

export const summaryExample = {
  id: receivedId,
  to: ['support+orders@acme.example'],
  from: 'ada@customer.example',
  created_at: '2026-11-30T20:39:59.540Z',
  subject: 'Where is my order?',
  received_for: ['support+orders@acme.example'],
  authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
  message_id: '<b7d2a9c6e31@customer.example>',
  attachments: [attachment],
  thread_id: threadId,
  plus_tag: 'orders',
  spam_score: 0.7,
};

export const emailExample = {
  object: 'email',
  ...summaryExample,
  text: 'It was to come on Friday.\n\nOn Thursday Acme wrote:\n> It is on its way.',
  headers: { from: 'Ada <ada@customer.example>', subject: 'Where is my order?' },
  raw: { download_url: link('raw'), expires_at: expiresAt },
  reply_text: 'It was to come on Friday.',
  envelope_from: 'ada@customer.example',
  size: 31_207,
  verdicts: {
    spf: { result: 'pass', domain: 'customer.example' },
    dkim: [{ result: 'pass', domain: 'customer.example', selector: 's1', aligned: true }],
    dmarc: { result: 'pass', domain: 'customer.example', policy: 'reject', aligned_by: ['spf', 'dkim'] },
    arc: { result: 'none', sets: 0 },
    fcrdns: { result: 'pass', name: 'mail.customer.example' },
    spam: { score: 0.7, required_score: 15, is_spam: false, symbols: { MIME_GOOD: -0.1 } },
    virus: { result: 'clean' },
  },
};
