import { ValidationError } from '#kernel';
import { decodeBody, mustBeString } from '#http/server';
import { Example, Field, OptionalField, OptionalText, Shape } from '#http/openapi';
import { IsBoolean, IsDefined, IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import type { DkimPublication, TlsPolicy } from '../../domain/domain.js';
import { DomainChanges, NewDomain } from '../../domain/new-domain.js';

const capabilityStates = ['enabled', 'disabled'];
const booleanMessage = { message: 'The `$property` field must be a boolean.' };

/** Settings that are given to a new domain, or changed later (docs/wire-contract.md section 9.2). */
class DomainSettingsRequest {
  @OptionalField(
    'Whether opens are tracked. Nothing is tracked until the record of a `tracking_subdomain` is verified.',
    { type: Boolean },
  )
  @IsOptional()
  @IsBoolean(booleanMessage)
  open_tracking?: boolean;

  @OptionalField(
    'Whether clicks are tracked. Nothing is tracked until the record of a `tracking_subdomain` is verified.',
    { type: Boolean },
  )
  @IsOptional()
  @IsBoolean(booleanMessage)
  click_tracking?: boolean;

  @OptionalField(
    'Label of the host in tracked links: `links` makes `links.acme.example`. It starts with a letter, ' +
      'ends with a letter or digit, and has letters, digits and hyphens only, at most 63.',
    { maxLength: 63 },
  )
  @IsOptional()
  @IsString(mustBeString)
  tracking_subdomain?: string;

  @OptionalField(
    '`opportunistic`: encrypt if the receiving server can. `enforced`: deliver over encrypted ' +
      'connections with a valid certificate only.',
    { enum: ['opportunistic', 'enforced'] },
  )
  @IsOptional()
  @IsIn(['opportunistic', 'enforced'], { message: 'The `tls` field must be `opportunistic` or `enforced`.' })
  tls?: TlsPolicy;

  @OptionalText(
    'Region from which its mail is sent, one of the regions of this server. Mail that waits moves with the domain.',
  )
  @IsOptional()
  @IsString({ message: 'The `region` field must be a string.', context: { code: 'invalid_region' } })
  region?: string;

  @OptionalField(
    'Whether another region sends its mail while no worker of its own region is alive. An addition of Postrider.',
    { type: Boolean },
  )
  @IsOptional()
  @IsBoolean(booleanMessage)
  failover?: boolean;

  @OptionalField('What the domain is for. At least one must be enabled.', {
    type: 'object',
    properties: {
      sending: { type: 'string', enum: ['enabled', 'disabled'], description: 'Whether mail may be sent from it.' },
      receiving: { type: 'string', enum: ['enabled', 'disabled'], description: 'Whether mail to it is received.' },
    },
  })
  @IsOptional()
  @IsObject({ message: 'The `capabilities` field must be an object.' })
  capabilities?: { sending?: unknown; receiving?: unknown };
}

/** Body of `PATCH /domains/{id}`. */
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
  @Field('Name of the domain; not a public suffix such as `co.uk`.', { maxLength: 253 })
  @IsDefined()
  @IsString(mustBeString)
  name!: string;

  @OptionalField(
    'Label of the subdomain that bounces come back to: `send` makes `send.acme.example`. It starts with a ' +
      'letter, ends with a letter or digit, and has letters, digits and hyphens only, at most 63.',
    { default: 'send', maxLength: 63 },
  )
  @IsOptional()
  @IsString(mustBeString)
  custom_return_path?: string;

  @OptionalField(
    '`txt`: publish the DKIM keys yourself. `cname`: delegate them permanently to this server, which then ' +
      'rotates them automatically. An addition of Postrider.',
    { enum: ['txt', 'cname'], default: 'txt' },
  )
  @IsOptional()
  @IsIn(['txt', 'cname'], { message: 'The `dkim` field must be `txt` or `cname`.' })
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
