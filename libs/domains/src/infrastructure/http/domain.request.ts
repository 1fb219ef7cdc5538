import { ValidationError } from '#kernel';
import { decodeBody } from '#platform/http';
import { ApiProperty, ApiPropertyOptional, OptionalText } from '#platform/openapi';
import { IsBoolean, IsDefined, IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import type { DkimPublication, TlsPolicy } from '../../domain/domain.js';
import { DomainChanges, NewDomain } from '../../domain/new-domain.js';

const capabilityStates = ['enabled', 'disabled'];
const textMessage = { message: 'The `$property` field must be a string.' };
const booleanMessage = { message: 'The `$property` field must be a boolean.' };

/** Body of `PATCH /domains/{id}` (docs/wire-contract.md section 9.2). */
export class UpdateDomainRequest {
  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @IsBoolean(booleanMessage)
  open_tracking?: boolean;

  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @IsBoolean(booleanMessage)
  click_tracking?: boolean;

  @OptionalText()
  @IsOptional()
  @IsString(textMessage)
  tracking_subdomain?: string;

  @ApiPropertyOptional({ enum: ['opportunistic', 'enforced'], type: String })
  @IsOptional()
  @IsIn(['opportunistic', 'enforced'], { message: 'The `tls` field must be `opportunistic` or `enforced`.' })
  tls?: TlsPolicy;

  @ApiPropertyOptional({ type: 'object', properties: {} })
  @IsOptional()
  @IsObject({ message: 'The `capabilities` field must be an object.' })
  capabilities?: { sending?: unknown; receiving?: unknown };
}

/**
 * Body of `POST /domains` and `POST /domains/claim`. `dkim` is an addition of Postrider: `cname` delegates the keys to
 * this service.
 */
export class CreateDomainRequest extends UpdateDomainRequest {
  @ApiProperty({ type: String })
  @IsDefined()
  @IsString(textMessage)
  name!: string;

  @OptionalText()
  @IsOptional()
  @IsString({ message: 'The `region` field must be a string.', context: { code: 'invalid_region' } })
  region?: string;

  @ApiPropertyOptional({ type: String, default: 'send' })
  @IsOptional()
  @IsString(textMessage)
  custom_return_path?: string;

  @ApiPropertyOptional({ enum: ['txt', 'cname'], type: String, default: 'txt' })
  @IsOptional()
  @IsIn(['txt', 'cname'], { message: 'The `dkim` field must be `txt` or `cname`.' })
  dkim?: DkimPublication;
}

export function decodeNewDomain(body: unknown): NewDomain {
  const request = decodeBody(CreateDomainRequest, body);
  return {
    name: request.name,
    region: request.region,
    customReturnPath: request.custom_return_path,
    dkimPublication: request.dkim,
    ...changesOf(request),
  };
}

export function decodeDomainChanges(body: unknown): DomainChanges {
  return changesOf(decodeBody(UpdateDomainRequest, body ?? {}));
}

function changesOf(request: UpdateDomainRequest): DomainChanges {
  return {
    tls: request.tls,
    openTracking: request.open_tracking,
    clickTracking: request.click_tracking,
    trackingSubdomain: request.tracking_subdomain,
    sending: capability('sending', request.capabilities?.sending),
    receiving: capability('receiving', request.capabilities?.receiving),
  };
}

function capability(name: string, value: unknown): boolean | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && capabilityStates.includes(value)) return value === 'enabled';
  throw new ValidationError(`The \`capabilities.${name}\` field must be \`enabled\` or \`disabled\`.`);
}
