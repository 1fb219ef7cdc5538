export const domainId = '0193a1ee-7c31-7a52-8b0e-5d1f3a7c9e20';

const period = { from: '2026-11-01', to: '2026-12-01' };

export const dmarc = {
  object: 'domain_dmarc',
  id: domainId,
  name: 'acme.example',
  record: {
    name: '_dmarc.acme.example',
    type: 'TXT',
    value: 'v=DMARC1; p=none; rua=mailto:dmarc-reports@send.acme.example;',
  },
  failure_address: 'dmarc-failures@send.acme.example',
  period,
  totals: { messages: 18_234, aligned: 18_190, quarantined: 12, rejected: 0, sources: 3, days: 30 },
  policy: { p: 'none', sp: null, pct: '100', adkim: 'r', aspf: 'r', seen_at: '2026-11-29 23:59:59+00' },
  advice: [
    {
      policy: 'quarantine',
      safe: true,
      reason:
        'In 30 days with 18234 messages, the mail of this service and of other known senders passed. ' +
        '44 messages of unknown senders would go to spam folders.',
    },
    {
      policy: 'reject',
      safe: true,
      reason:
        'In 30 days with 18234 messages, the mail of this service and of other known senders passed. ' +
        '44 messages of unknown senders would be refused.',
    },
  ],
  reporters: [{ name: 'mailbox.example', messages: 18_234, last_day: '2026-11-29' }],
  has_more: true,
  data: [
    {
      id: '192.0.2.10',
      kind: 'ours',
      ours: true,
      messages: 18_190,
      aligned: 18_190,
      aligned_by_dkim: 18_190,
      aligned_by_spf: 18_190,
      failed: 0,
      quarantined: 0,
      rejected: 0,
      first_day: '2026-11-01',
      last_day: '2026-11-29',
      days: 29,
      header_from: ['acme.example'],
      proven_domains: ['acme.example'],
      reporters: 1,
    },
  ],
};

export const tlsReports = {
  object: 'domain_tls_reports',
  id: domainId,
  name: 'acme.example',
  record: {
    name: '_smtp._tls.acme.example',
    type: 'TXT',
    value: 'v=TLSRPTv1; rua=mailto:tls-reports@send.acme.example;',
  },
  period,
  totals: { succeeded: 5_326, failed: 3, reporters: 2 },
  has_more: false,
  data: [
    {
      id: '5d41402abc4b2a76b9719d911017c592',
      result: 'certificate-expired',
      policy_type: 'sts',
      policy_domain: 'acme.example',
      mx: 'mx.acme.example',
      sessions: 3,
      first_day: '2026-11-12',
      last_day: '2026-11-12',
      reasons: [],
      reporters: 1,
      advice: 'The certificate had expired: renew it.',
    },
  ],
};

export const reports = {
  object: 'list',
  has_more: false,
  data: [
    {
      id: '0193a1f6-1b7e-7d25-9c48-e1a5f7306b2d',
      kind: 'dmarc',
      reporter: 'mailbox.example',
      counted: true,
      organization: 'Mailbox Example',
      report_id: '13209478352094',
      begins_at: '2026-11-29 00:00:00+00',
      ends_at: '2026-11-29 23:59:59+00',
      received_at: '2026-11-30 04:12:45.3+00',
      total: 612,
      unusable: 0,
      failure: null,
    },
  ],
};
