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

/** Settings with their defaults for a new domain. */
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
  status: 'Status of the record. `temporary_failure`: it was verified and is missing now.',
  value: 'Value of the record.',
  priority: 'Priority of an MX record; absent for others.',
};

const summaryFields = {
  id: 'Id of the domain.',
  name: 'Name, in lower case and ASCII.',
  status: 'Status of the domain, derived from its records for sending and receiving.',
  created_at: 'When it was created.',
  region: 'Region from which its mail is sent.',
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
      region:
        'Region from which its mail is sent, one of the regions of this server. Default: the first one. Cannot be changed.',
      custom_return_path: {
        description: `Label of the subdomain that bounces come back to: \`send\` makes \`send.acme.example\`. ${label}`,
        maxLength: 63,
      },
      dkim:
        '`txt`: publish the DKIM keys yourself. `cname`: delegate them permanently to this server, which then rotates ' +
        'them automatically. An addition of Postrider.',
      ...newSettings,
    },
  },
  UpdateDomainRequest: { description: 'Changes of a domain. Absent fields stay unchanged.', properties: settings },
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
    description: 'What the last check of the DNS found.',
    properties: {
      object: 'Always `domain_diagnosis`.',
      id: 'Id of the domain.',
      name: 'Name of the domain.',
      status: 'Status of the domain.',
      tls: 'Whether its mail is delivered over encrypted connections only.',
      dns_provider: 'Provider of its name servers; null where it is not known.',
      checked_at: 'When its records were last checked; null if never.',
      next_check_at: 'When its records are checked next; null where no check is planned.',
      records: 'Its records.',
    },
  },
  DiagnosedRecordResponse: {
    description: 'A DNS record, what the DNS has for it, and what to do about it.',
    properties: {
      ...recordFields,
      host: 'Name of the record in full.',
      required: 'Whether the domain needs it to be verified.',
      mistake: 'Stable name of what is wrong, for programs, such as `dkim_truncated_key`; null where nothing is wrong.',
      found: 'Values that the DNS has at this name.',
      waiting_since: 'When the wait for this record began; null where it is not waited for.',
      advice: 'Explanation of what to do; null where there is nothing to do.',
    },
  },
  RegionResponse: {
    description: 'A region from which domains may send.',
    properties: {
      name: 'What `region` of a new domain may be.',
      host: 'Name of its mail servers, to which the records of its domains lead.',
      is_default: 'Whether a new domain is assigned to it that names no region.',
    },
  },
  DkimKeyResponse: {
    description: 'A DKIM key of a domain.',
    properties: {
      id: 'Id of the key.',
      selector: 'Selector (RFC 6376).',
      algorithm: 'Algorithm of its signatures.',
      state:
        '`published`: signs once its record has been seen. `signing`: signs. `retired`: no longer signs, and stays published ' +
        'until the mail that it signed has arrived.',
      host: 'Name of its record.',
      value: 'Value of its record.',
      delegated_host: 'With `dkim: cname`: the name of this server that `host` is an alias of; null otherwise.',
      created_at: 'When it was created.',
      retired_at: 'When it stopped signing; null where it has not.',
      removable_at: 'When its record may be removed; null where it is still needed.',
    },
  },
  ClaimResponse: {
    description: 'A claim of a domain that another team has.',
    properties: {
      object: 'Always `domain_claim`.',
      id: 'Id of the claim.',
      name: 'Name of the domain.',
      status: 'Status of the claim.',
      domain_id: 'Id that the domain gets in your team. The paths of claims use this id.',
      region: 'Requested region; null for the default.',
      record: 'The DNS record that proves the claim.',
      blocked_reason: 'Why a proven claim has to wait; null where it does not.',
      failure_reason: 'Why it failed; null where it did not.',
      created_at: 'When it was created.',
      expires_at: 'When it expires without a proof: seven days after its creation.',
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
