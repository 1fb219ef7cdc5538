import { BlockList, isIP, isIPv6 } from 'node:net';
import { isUuid, MissingFieldError, parseDomainName, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import {
  Example,
  Field,
  Flag,
  Id,
  ListOf,
  ObjectOf,
  OmitOf,
  OneOf,
  OptionalField,
  PartialOf,
  Shape,
  Text,
} from '#http/openapi';
import { IsObject } from 'class-validator';
import type { AddressChanges } from '../../application/ports/address-repository.port.js';
import type { PoolUser } from '../../application/ports/pool-repository.port.js';
import { addressStates, maxAddressesOfPool, maxWeight, poolName, tagText } from '../../domain/sending-pool.js';
import type { AddressState, PoolMember, PoolTag, SendingAddress } from '../../domain/sending-pool.js';
import { addressId, teamId } from './example-ids.js';

const listMessage = 'The `addresses` field must be an array of objects.';
const states = addressStates.map((state) => `\`${state}\``).join(', ');

/** Addresses that no mail can leave from. */
const useless = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['224.0.0.0', 3],
] as const)
  useless.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 128],
  ['ff00::', 8],
] as const)
  useless.addSubnet(network, bits, 'ipv6');

abstract class AddressFields {
  @Text('Only workers of this region use it, one of the regions of this server. Empty: all workers.', {
    optional: true,
    example: 'eu-west-1',
  })
  region?: string;
  @OneOf(
    addressStates,
    '`active`: mail leaves from it. `draining`: nothing new is sent from it, and workers go on looking whether their ' +
      'machine has it. `off`: it is not looked at.',
    { optional: true, message: `The \`state\` must be one of ${states}.` },
  )
  state?: AddressState;
}

@Shape('An address that mail leaves from.')
@Example('address', 'An address', { address: '192.0.2.10', helo_name: 'out1.mail.example' })
export class CreateAddressRequest extends AddressFields {
  @Text('IPv4 or IPv6 address. A machine of a worker must have it.', '192.0.2.10') address!: string;
  @Text('The name in EHLO, which is also the reverse name of the address.', 'out1.mail.example') helo_name!: string;
}

@Shape('Changes of an address. Absent fields stay unchanged.')
@Example('drain', 'Send nothing new from it', { state: 'draining' })
export class UpdateAddressRequest extends PartialOf(OmitOf(CreateAddressRequest, 'address')) {}

@Shape('An address of a pool.')
export class PoolMemberRequest {
  @Id('Id of the address.', addressId) id!: string;
  @OptionalField('Its share of the mail, compared with the weights of the others.', {
    type: 'integer',
    minimum: 1,
    maximum: maxWeight,
    default: 1,
  })
  weight?: number;
}

@Shape('A pool of addresses.')
@Example('pool', 'An empty pool', { name: 'acme' })
export class CreatePoolRequest {
  @Text('Name: lower-case letters, digits and hyphens.', {
    boundedByDomain: { maxLength: 63 },
    pattern: poolName.source,
    example: 'acme',
  })
  name!: string;
  @ListOf(PoolMemberRequest, 'Its addresses.', {
    optional: true,
    maxItems: maxAddressesOfPool,
    message: listMessage,
    boundsMessage: `A pool may have at most ${maxAddressesOfPool} \`addresses\`.`,
    also: [IsObject({ message: listMessage, each: true })],
  })
  addresses?: PoolMemberRequest[];
}

@Shape('Changes of a pool. Absent fields stay unchanged.', {
  addresses: 'Its addresses, in place of all former ones.',
})
@Example('rename', 'Another name', { name: 'acme-marketing' })
export class UpdatePoolRequest extends PartialOf(CreatePoolRequest) {}

const tagPattern = tagText.source;

@Shape('A tag of emails.')
export class PoolTagRequest {
  @Field('ASCII letters, digits, `_` and `-`, 1 to 256 characters.', { pattern: tagPattern }, 'category') name!: string;
  @OptionalField(
    'The same. Absent: the tags of this name, whatever their value.',
    { pattern: tagPattern },
    'newsletter',
  )
  value?: string;
}

@Shape(
  'The mail that leaves from the pool: of a domain, or of a team with all domains that have no pool of their own; or only ' +
    'their broadcasts, or the emails of a team with a tag.',
)
@Example('domain', 'A domain', { domain: 'acme.example' })
@Example('broadcasts', 'The broadcasts of a domain', { domain: 'acme.example', broadcasts: true })
@Example('tag', 'The emails of a team with a tag', {
  team_id: teamId,
  tag: { name: 'category', value: 'newsletter' },
})
export class UsePoolRequest {
  @Text('Name of a sending domain.', { optional: true, example: 'acme.example' }) domain?: string;
  @Id('Id of a team.', { optional: true, message: 'The `$property` field must be a UUID.', example: teamId })
  team_id?: string;
  @Flag('Only the broadcasts of the domain or the team.', { optional: true, example: true }) broadcasts?: boolean;
  @ObjectOf(PoolTagRequest, 'Only the emails of the team with this tag. Not with `domain` or `broadcasts`.', {
    optional: true,
    message: 'The `tag` field must be an object with a `name`.',
  })
  tag?: PoolTagRequest;
}

export function newAddressFrom(body: unknown): Pick<SendingAddress, 'address' | 'heloName' | 'region' | 'state'> {
  const { address, helo_name, region, state = 'active' } = decodeBody(CreateAddressRequest, body);
  const isUsable = isIP(address) !== 0 && !address.includes('%') && !/^::ffff:/i.test(address);
  if (!isUsable || useless.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
    throw new ValidationError('The `address` must be an IPv4 or IPv6 address that mail can leave from.');
  }
  return { address, heloName: hostNameFrom(helo_name), region, state };
}

export function addressChangesFrom(body: unknown): AddressChanges {
  const { helo_name, region, state } = decodeBody(UpdateAddressRequest, body, ['region']);
  return {
    heloName: helo_name === undefined ? undefined : hostNameFrom(helo_name),
    region: region === '' ? null : region,
    state,
  };
}

export function newPoolFrom(body: unknown): { readonly name: string; readonly members: readonly PoolMember[] } {
  const { name, addresses = [] } = decodeBody(CreatePoolRequest, body);
  return { name: poolNameFrom(name), members: addresses.map(memberFrom) };
}

export function poolChangesFrom(body: unknown): { readonly name?: string; readonly members?: readonly PoolMember[] } {
  const { name, addresses } = decodeBody(UpdatePoolRequest, body);
  return { name: name === undefined ? undefined : poolNameFrom(name), members: addresses?.map(memberFrom) };
}

export function poolUserFrom(body: unknown): PoolUser {
  const { domain, team_id: ofTeam, broadcasts: forBroadcasts = false, tag } = decodeBody(UsePoolRequest, body);
  if (domain !== undefined && ofTeam !== undefined) {
    throw new ValidationError('The `domain` and `team_id` fields cannot be used together.');
  }
  if (tag !== undefined && (ofTeam === undefined || forBroadcasts)) {
    throw new ValidationError('The `tag` field needs a `team_id`, and cannot be used with `broadcasts`.');
  }
  if (ofTeam !== undefined) return { teamId: ofTeam, forBroadcasts, tag: tag && poolTagFrom(tag) };
  if (domain === undefined) throw new MissingFieldError('domain');
  return { domain: parseDomainName(domain.trim()) ?? '', forBroadcasts };
}

function poolTagFrom({ name, value }: { readonly name?: unknown; readonly value?: unknown }): PoolTag {
  if (typeof name !== 'string' || (value !== undefined && typeof value !== 'string')) {
    throw new ValidationError('The `tag` field must be an object with a `name`.');
  }
  if (!tagText.test(name) || !tagText.test(value ?? name)) {
    throw new ValidationError(
      'The `name` and the `value` of a `tag` may have ASCII letters, digits, underscores and dashes, at most 256.',
    );
  }
  return { name, value };
}

function hostNameFrom(text: string): string {
  const name = parseDomainName(text.trim());
  if (name === undefined) throw new ValidationError('The `helo_name` must be a full host name.');
  return name;
}

function poolNameFrom(name: string): string {
  if (poolName.test(name)) return name;
  throw new ValidationError('The `name` must be lower-case letters, digits and hyphens, at most 63.');
}

function memberFrom({ id, weight = 1 }: { readonly id?: unknown; readonly weight?: unknown }): PoolMember {
  if (typeof id !== 'string' || !isUuid(id)) throw new ValidationError('Each of the `addresses` needs an `id`.');
  if (!Number.isInteger(weight) || (weight as number) < 1 || (weight as number) > maxWeight) {
    throw new ValidationError(`The \`weight\` must be a number between 1 and ${maxWeight}.`);
  }
  return { addressId: id.toLowerCase(), weight: weight as number };
}
