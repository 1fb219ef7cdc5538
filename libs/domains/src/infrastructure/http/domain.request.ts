import { ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Flag, OneOf, PlainObject, Shape, Text } from '#http/openapi';
import type { DkimPublication, TlsPolicy } from '../../domain/domain.js';
import { DomainChanges, NewDomain } from '../../domain/new-domain.js';

const capabilityStates = ['enabled', 'disabled'];

/** Settings that are given to a new domain, or changed later (docs/wire-contract.md section 9.2). */
class DomainSettingsRequest {
  @Flag('Whether opens are tracked. Nothing is tracked until the record of a `tracking_subdomain` is verified.', {
    optional: true,
  })
  open_tracking?: boolean;
  @Flag('Whether clicks are tracked. Nothing is tracked until the record of a `tracking_subdomain` is verified.', {
    optional: true,
  })
  click_tracking?: boolean;
  @Text(
    'Label of the host in tracked links: `links` makes `links.acme.example`. It starts with a letter, ' +
      'ends with a letter or digit, and has letters, digits and hyphens only, at most 63.',
    { optional: true, boundedByDomain: { maxLength: 63 } },
  )
  tracking_subdomain?: string;
  @OneOf(
    ['opportunistic', 'enforced'],
    '`opportunistic`: encrypt if the receiving server can. `enforced`: deliver over encrypted ' +
      'connections with a valid certificate only.',
    { optional: true },
  )
  tls?: TlsPolicy;
  @Text(
    'Region from which its mail is sent, one of the regions of this server. Mail that waits moves with the domain.',
    { optional: true, code: 'invalid_region' },
  )
  region?: string;
  @Flag('Whether another region sends its mail while no worker of its own region is alive. An addition of Postrider.', {
    optional: true,
  })
  failover?: boolean;
  @PlainObject('What the domain is for. At least one must be enabled.', {
    optional: true,
    properties: {
      sending: { type: 'string', enum: ['enabled', 'disabled'], description: 'Whether mail may be sent from it.' },
      receiving: { type: 'string', enum: ['enabled', 'disabled'], description: 'Whether mail to it is received.' },
    },
  })
  capabilities?: { sending?: unknown; receiving?: unknown };
}

@Shape('Changes of a domain. Absent fields stay unchanged.')
@Example('tracking', 'Track clicks', { click_tracking: true, tracking_subdomain: 'links' })
@Example('tls', 'Deliver over verified TLS only', { tls: 'enforced' })
export class UpdateDomainRequest extends DomainSettingsRequest {}

/**
 * Body of `POST /domains` and `POST /domains/claim`. `dkim` is an addition of Postrider: `cname` delegates the keys to
 * this service.
 */
@Shape('A new domain, or a claim of one.', {
  open_tracking: { default: false },
  click_tracking: { default: false },
  tls: { default: 'opportunistic' },
  region: 'Region from which its mail is sent, one of the regions of this server. Default: the first one.',
  failover: { default: false },
  capabilities: { default: { sending: 'enabled', receiving: 'disabled' } },
})
@Example('name', 'A domain with default settings', { name: 'acme.example' })
export class CreateDomainRequest extends DomainSettingsRequest {
  @Text('Name of the domain; not a public suffix such as `co.uk`.', { boundedByDomain: { maxLength: 253 } })
  name!: string;
  @Text(
    'Label of the subdomain that bounces come back to: `send` makes `send.acme.example`. It starts with a ' +
      'letter, ends with a letter or digit, and has letters, digits and hyphens only, at most 63.',
    { optional: true, default: 'send', boundedByDomain: { maxLength: 63 } },
  )
  custom_return_path?: string;
  @OneOf(
    ['txt', 'cname'],
    '`txt`: publish the DKIM keys yourself. `cname`: delegate them permanently to this server, which then ' +
      'rotates them automatically. An addition of Postrider.',
    { optional: true, default: 'txt' },
  )
  dkim?: DkimPublication;
}

export function decodeNewDomain(body: unknown): NewDomain {
  const request = decodeBody(CreateDomainRequest, body);
  return {
    name: request.name,
    customReturnPath: request.custom_return_path,
    dkimPublication: request.dkim,
    ...changesOf(request),
  };
}

export function decodeDomainChanges(body: unknown): DomainChanges {
  return changesOf(decodeBody(UpdateDomainRequest, body ?? {}));
}

function changesOf(request: DomainSettingsRequest): DomainChanges {
  return {
    tls: request.tls,
    openTracking: request.open_tracking,
    clickTracking: request.click_tracking,
    trackingSubdomain: request.tracking_subdomain,
    region: request.region ?? undefined,
    failover: request.failover,
    sending: capability('sending', request.capabilities?.sending),
    receiving: capability('receiving', request.capabilities?.receiving),
  };
}

function capability(name: string, value: unknown): boolean | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && capabilityStates.includes(value)) return value === 'enabled';
  throw new ValidationError(`The \`capabilities.${name}\` field must be \`enabled\` or \`disabled\`.`);
}
