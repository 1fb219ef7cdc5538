export const emailId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';

export const traceExample = {
  object: 'trace',
  email_id: emailId,
  created_at: '2026-11-30 20:39:59.54+00',
  scheduled_at: null,
  events: [{ seq: 1, type: 'email.sent', created_at: '2026-11-30 20:39:59.54+00', data: null }],
  recipients: [
    {
      recipient: 'ada@customer.example',
      status: 'delayed',
      queued_at: '2026-11-30 20:39:59.54+00',
      lane: 'customer.example',
      next_attempt_at: '2026-11-30 20:45:01.2+00',
      held_by: {
        kind: 'retry_schedule',
        until: '2026-11-30 20:45:01.2+00',
        reason: 'Attempt 1 did not succeed; the next one has its time',
        limit: null,
      },
      attempts: [
        {
          attempt: 1,
          started_at: '2026-11-30 20:40:00.1+00',
          duration_ms: 812,
          outcome: 'deferred',
          outcome_unknown: false,
          category: 'rate_limited',
          reason: '451 4.7.1 Greylisted, please try again later',
          host: 'mx1.customer.example',
          address: '192.0.2.25:25',
          tls: {
            level: 'opportunistic',
            protocol: 'TLSv1.3',
            cipher: 'TLS_AES_256_GCM_SHA384',
            authorized: true,
            certificate_error: null,
            plaintext_reason: null,
            policy_failure: null,
          },
          reply: { code: 451, enhanced_code: '4.7.1', text: 'Greylisted, please try again later' },
          timings_ms: { dns: 14, connect: 22, greeting: 31, ehlo: 24, tls: 48, mail: 65 },
        },
      ],
      reports: [],
      events: [
        {
          seq: 2,
          type: 'email.delivery_delayed',
          created_at: '2026-11-30 20:40:00.95+00',
          data: { reason: '451 4.7.1 Greylisted, please try again later' },
        },
      ],
    },
  ],
};
