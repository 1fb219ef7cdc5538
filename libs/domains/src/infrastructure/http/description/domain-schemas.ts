import type { ApiDescription, Schema } from '#platform/api-description';

const label =
  'It starts with a letter, ends with a letter or digit, and has letters, digits and hyphens only, at most 63.';

const capability = (description: string): Schema => ({ type: 'string', enum: ['enabled', 'disabled'], description });
const trackingNeeds = 'Nothing is tracked until the record of a `tracking_subdomain` is verified.';

const settings = {
  open_tracking: { description: `Whether opens are tracked. ${trackingNeeds}` },
  click_tracking: { description: `Whether clicks are tracked. ${trackingNeeds}` },
  tracking_subdomain: {
    description: `Label of the host in tracked links: \`links\` makes \`links.acme.example\`. ${label}`,
    maxLength: 63,
  },
  tls: {
    description:
      '`opportunistic`: encrypt where the receiving server can. `enforced`: deliver over encrypted connections with a ' +
      'valid certificate only.',
  },
  capabilities: {
    description: 'What the domain is for. At least one must be enabled.',
    properties: {
      sending: capability('Whether mail may be sent from it.'),
      receiving: capability('Whether mail to it is received.'),
    },
  },
};

/** What a new domain has where its request says nothing. */
const newSettings = {
  ...settings,
  open_tracking: { ...settings.open_tracking, default: false },
  click_tracking: { ...settings.click_tracking, default: false },
  tls: { ...settings.tls, default: 'opportunistic' },
  capabilities: { ...settings.capabilities, default: { sending: 'enabled', receiving: 'disabled' } },
};

const recordFields = {
  record: 'What the record is for.',
  name: 'Name of the record, relative to the domain or in full, as most DNS providers want it entered.',
  type: 'Type of the record.',
  ttl: 'Time to live: `Auto` means any.',
  status: 'Where the record stands. `temporary_failure`: it was there and is missing now.',
  value: 'Value of the record.',
  priority: 'Priority of an MX record; absent for others.',
};

const summaryFields = {
  id: 'Id of the domain.',
  name: 'Name, in lower case and ASCII.',
  status: 'Where the domain stands, by its records for sending and receiving.',
  created_at: 'When it was created.',
  region: 'Region that its mail is sent from.',
  open_tracking: 'Whether opens are tracked.',
  click_tracking: 'Whether clicks are tracked.',
  tracking_subdomain: 'Label of the host in tracked links; null where there is none.',
  capabilities: 'What the domain is for.',
};

export const domainSchemas: NonNullable<ApiDescription['schemas']> = {
  CreateDomainRequest: {
    description: 'A new domain, or a claim of one.',
    properties: {
      name: { description: 'Name of the domain; not a public suffix such as `co.uk`.', maxLength: 253 },
      region: 'Region that its mail is sent from, one of those of this server. Default: its first. Cannot be changed.',
      custom_return_path: {
        description: `Label of the subdomain that bounces come back to: \`send\` makes \`send.acme.example\`. ${label}`,
        maxLength: 63,
      },
      dkim:
        '`txt`: publish the DKIM keys yourself. `cname`: delegate them to this server once and for all, which then rotates ' +
        'them by itself. An addition of Postrider.',
      ...newSettings,
    },
  },
  UpdateDomainRequest: { description: 'Changes of a domain. What is absent stays as it is.', properties: settings },
  CapabilitiesResponse: {
    description: 'What a domain is for.',
    properties: { sending: 'Whether mail may be sent from it.', receiving: 'Whether mail to it is received.' },
  },
  RecordResponse: { description: 'A DNS record to publish.', properties: recordFields },
  DomainSummaryResponse: { description: 'A domain without its records.', properties: summaryFields },
  DomainResponse: {
    description: 'A domain.',
    properties: { object: 'Always `domain`.', ...summaryFields, records: 'The DNS records to publish.' },
  },
  DomainIdResponse: {
    description: 'The domain that was changed.',
    properties: { object: 'Always `domain`.', id: 'Id of the domain.' },
  },
  RemovedDomainResponse: {
    description: 'The domain that was deleted.',
    properties: { object: 'Always `domain`.', id: 'Id of the domain.', deleted: 'Always true.' },
  },
  DiagnosisResponse: {
    description: 'What the last look at the DNS showed.',
    properties: {
      object: 'Always `domain_diagnosis`.',
      id: 'Id of the domain.',
      name: 'Name of the domain.',
      status: 'Where the domain stands.',
      tls: 'Whether its mail is delivered over encrypted connections only.',
      dns_provider: 'Who runs its name servers, where they are known.',
      checked_at: 'When its records were last looked for; null where they never were.',
      next_check_at: 'When they are looked for next; null where they are not.',
      records: 'Its records.',
    },
  },
  DiagnosedRecordResponse: {
    description: 'A DNS record, what was found of it, and what to do about it.',
    properties: {
      ...recordFields,
      host: 'Name of the record in full.',
      required: 'Whether the domain cannot be verified without it.',
      mistake: 'What is wrong, for programs, such as `dkim_truncated_key`; null where nothing is. Stable.',
      found: 'What the DNS has there.',
      waiting_since: 'Since when it is waited for; null where it is not.',
      advice: 'What to do, for people; null where there is nothing to do.',
    },
  },
  DkimKeyResponse: {
    description: 'A DKIM key of a domain.',
    properties: {
      id: 'Id of the key.',
      selector: 'Selector (RFC 6376).',
      algorithm: 'Algorithm of its signatures.',
      state:
        '`published`: signs as soon as its record is seen. `signing`: signs. `retired`: signs no more, and stays published ' +
        'until the mail that it signed has arrived.',
      host: 'Name of its record.',
      value: 'Value of its record.',
      delegated_host: 'With `dkim: cname`: the name of this server that `host` is an alias of; null otherwise.',
      created_at: 'When it was made.',
      retired_at: 'When it stopped signing; null where it has not.',
      removable_at: 'From when its record may be removed; null where it is still needed.',
    },
  },
  ClaimResponse: {
    description: 'A claim of a domain that another team has.',
    properties: {
      object: 'Always `domain_claim`.',
      id: 'Id of the claim.',
      name: 'Name of the domain.',
      status: 'Where the claim stands.',
      domain_id: 'Id that the domain gets in your team. Paths take it.',
      region: 'Region that was asked for; null for the default.',
      record: 'The DNS record that proves the claim.',
      blocked_reason: 'Why a proven claim has to wait; null where it does not.',
      failure_reason: 'Why it failed; null where it did not.',
      created_at: 'When it was made.',
      expires_at: 'When it ends without a proof, seven days after it was made.',
    },
  },
  ClaimRecordResponse: {
    description: 'The DNS record that proves a claim.',
    properties: {
      type: 'Always `TXT`.',
      name: 'Name of the record in full.',
      value: 'Value of the record.',
      ttl: 'Time to live: `Auto` means any.',
    },
  },
};
