import type { ApiDescription } from '#platform/api-description';

const day = 'as `yyyy-mm-dd`, in UTC';

const domain = { id: 'Id of the domain.', name: 'Name of the domain.' };
const rest = { has_more: 'Whether the list goes on.', period: 'The days that are added up.' };

export const domainReportsSchemas: ApiDescription['schemas'] = {
  ReportPeriodResponse: {
    description: 'Days that are added up.',
    properties: { from: `First day, ${day}.`, to: `The day behind the last one, ${day}.` },
  },
  ReportRecordResponse: {
    description: 'The DNS record that asks for these reports.',
    properties: { name: 'Full name of the record.', type: 'Type of the record.', value: 'Recommended value.' },
  },
  DmarcReporterResponse: {
    description: 'An organisation that reports.',
    properties: {
      name: 'Its domain, proven by SPF or DKIM.',
      messages: 'Messages that it counted.',
      last_day: `Last day that it reported, ${day}.`,
    },
  },
  DmarcTotalsResponse: {
    description: 'All messages with this domain in their From field that receivers counted.',
    properties: {
      messages: 'Number of messages.',
      aligned: 'Messages for which DMARC passed.',
      quarantined: 'Messages that receivers treated as suspicious because of the policy.',
      rejected: 'Messages that receivers refused because of the policy.',
      sources: 'Number of sources.',
      days: 'Number of days with reports.',
    },
  },
  PublishedPolicyResponse: {
    description: 'The policy as a reporter found it in the DNS last.',
    properties: {
      p: 'Policy for the domain.',
      sp: 'Policy for its subdomains; null where it is that of the domain.',
      pct: 'Part of the messages that the policy is for, in percent.',
      adkim: 'Alignment of DKIM: `r` (relaxed) or `s` (strict).',
      aspf: 'Alignment of SPF: `r` (relaxed) or `s` (strict).',
      seen_at: 'End of the period of that report.',
    },
  },
  PolicyAdviceResponse: {
    description: 'Whether a policy is safe now.',
    properties: {
      policy: 'The policy.',
      safe: 'Whether it would cost no mail that should arrive, as far as the reports show.',
      reason: 'Why.',
    },
  },
  DmarcSourceResponse: {
    description: 'A source of mail with this domain in its From field.',
    properties: {
      id: 'Its IP address; `others` for the sum of sources that are not told apart.',
      kind:
        '`ours`: this service. `forwarder`: it passes mail of this service on. `aligned`: another service that sends with the ' +
        "domain's permission. `misaligned`: it proves another domain, like a service that is not set up. `unknown`: it proves nothing.",
      ours: 'Whether this service sends from it.',
      messages: 'Number of messages.',
      aligned: 'Messages for which DMARC passed.',
      aligned_by_dkim: 'Messages for which it passed by DKIM.',
      aligned_by_spf: 'Messages for which it passed by SPF.',
      failed: 'Messages for which it did not pass.',
      quarantined: 'Messages that receivers treated as suspicious.',
      rejected: 'Messages that receivers refused.',
      first_day: `First day with messages, ${day}.`,
      last_day: `Last day with messages, ${day}.`,
      days: 'Number of days with messages.',
      header_from: 'Domains in the From field, at most 5.',
      proven_domains: 'Domains that SPF or DKIM proved, at most 5.',
      reporters: 'Number of reporters.',
    },
  },
  DmarcResponse: {
    description: 'Who sends as a domain.',
    properties: {
      object: 'Always `domain_dmarc`.',
      ...domain,
      ...rest,
      record: 'The record that asks for these reports. A record of yours needs its `rua` only.',
      failure_address: 'Address for reports on single messages, for the `ruf` of the record, if you want them.',
      totals: 'All sources together.',
      policy: 'The policy that is published; null where no reporter has seen one.',
      advice: 'Whether `p=quarantine` and `p=reject` are safe now.',
      reporters: 'Who reports, at most 50.',
      data: 'The sources of this page.',
    },
  },
  TlsTotalsResponse: {
    description: 'All sessions that senders counted.',
    properties: {
      succeeded: 'Sessions that were encrypted as the policy asks.',
      failed: 'Sessions that were not.',
      reporters: 'Number of reporters.',
    },
  },
  TlsResultResponse: {
    description: 'Sessions with the same result.',
    properties: {
      id: 'Identifies the result in this list.',
      result: '`success`, or a result type of RFC 8460.',
      policy_type: 'The kind of policy: DANE (`tlsa`), MTA-STS (`sts`) or none.',
      policy_domain: 'The domain of the policy.',
      mx: 'The mail host; null where reports do not say.',
      sessions: 'Number of sessions.',
      first_day: `First day, ${day}.`,
      last_day: `Last day, ${day}.`,
      reasons: 'Reasons that reporters give, at most 5.',
      reporters: 'Number of reporters.',
      advice: 'What it means, and what to do.',
    },
  },
  TlsReportsResponse: {
    description: 'How mail to a domain is encrypted.',
    properties: {
      object: 'Always `domain_tls_reports`.',
      ...domain,
      ...rest,
      record: 'The record that asks for these reports.',
      totals: 'All results together.',
      data: 'The results of this page.',
    },
  },
  ReportedFailureResponse: {
    description: 'What a report says about one message. Nothing else of the message is kept.',
    properties: {
      header_from: 'Domain in the From field.',
      source: 'IP address of the sender.',
      failure: 'What failed, such as `dmarc`.',
      outcome: 'What the receiver did with the message.',
      dkim_domain: 'Domain of the signature.',
    },
  },
  DomainReportResponse: {
    description: 'A report about a domain.',
    properties: {
      id: 'Id of the report.',
      kind: '`dmarc`: an aggregate report. `tls`: a TLS report. `failure`: a report on one message.',
      reporter: 'Domain that sent it, proven by SPF or DKIM; null where nothing proves it.',
      counted: 'Whether it counts.',
      organization: 'Name of the organisation, as the report gives it.',
      report_id: 'Id that the reporter gave it.',
      begins_at: 'Begin of the time that it is about.',
      ends_at: 'End of the time that it is about.',
      received_at: 'When it came.',
      total: 'Messages or sessions in it.',
      unusable: 'Records of it that could not be used.',
      failure: 'The message that failed; null for other kinds.',
    },
  },
};
