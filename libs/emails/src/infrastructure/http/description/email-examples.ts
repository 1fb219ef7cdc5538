export const emailId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';
export const otherEmailId = '0193a1f4-52e6-7c1e-9f0b-61c2f48d07aa';

const simple = {
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  subject: 'Your order is on its way',
  html: '<p>It arrives on <b>Friday</b>.</p>',
  text: 'It arrives on Friday.',
};

export const sendExamples = {
  simple: { summary: 'An email with html and text', value: simple },
  complete: {
    summary: 'Copies, tags, headers and an attachment, for tomorrow',
    value: {
      ...simple,
      cc: ['Grace Hopper <grace@customer.example>'],
      bcc: ['archive@acme.example'],
      reply_to: ['support@acme.example'],
      subject: 'Your invoice',
      headers: { 'X-Entity-Ref-ID': 'invoice-1042' },
      attachments: [
        {
          filename: 'invoice.txt',
          content: 'SW52b2ljZSAxMDQyOiAxOS45MCBFVVIK',
          content_type: 'text/plain',
        },
      ],
      tags: [{ name: 'category', value: 'invoice' }],
      tracking: { opens: false, clicks: false },
      scheduled_at: 'tomorrow at 9am',
    },
  },
  template: {
    summary: 'A stored template with values',
    value: {
      from: 'Acme <hello@acme.example>',
      to: ['ada@customer.example'],
      template: { id: '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6', variables: { NAME: 'Ada', ORDER: 1042 } },
    },
  },
};

export const batchExamples = {
  two: {
    summary: 'Two emails',
    value: [simple, { ...simple, to: ['grace@customer.example'] }],
  },
};

const summary = {
  id: emailId,
  message_id: '<0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31@acme.example>',
  to: ['ada@customer.example'],
  from: 'Acme <hello@acme.example>',
  created_at: '2026-11-30 20:39:59.54+00',
  subject: 'Your order is on its way',
  bcc: null,
  cc: null,
  reply_to: ['support@acme.example'],
  last_event: 'delivered',
  scheduled_at: null,
};

export const emailExample = {
  summary,
  whole: {
    object: 'email',
    ...summary,
    html: '<p>It arrives on <b>Friday</b>.</p>',
    text: 'It arrives on Friday.',
    tags: [{ name: 'category', value: 'shipping' }],
    topic_id: null,
  },
};

export const eventsExample = {
  object: 'list',
  has_more: false,
  data: [
    { seq: 1, type: 'email.sent', created_at: '2026-11-30T20:39:59.540Z', recipient: null, data: null },
    {
      seq: 2,
      type: 'email.delivered',
      created_at: '2026-11-30T20:40:00.912Z',
      recipient: 'ada@customer.example',
      data: { host: 'mx1.customer.example' },
    },
  ],
};
