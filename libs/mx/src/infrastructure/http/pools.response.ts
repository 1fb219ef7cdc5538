import { timestamp, toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Flag,
  Id,
  IdOrNull,
  ListOf,
  Moment,
  OneOf,
  OneOfOrNull,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
  Whole,
  WholeOrNull,
} from '#http/openapi';
import type { ShownAddress } from '../../application/keep-addresses.use-case.js';
import { sndsFilters } from '#provider-reports';
import type { SndsAddress } from '#provider-reports';
import { reverseVerdicts } from '../../application/reverse-names.js';
import { addressStates } from '../../domain/sending-pool.js';
import type { PoolUse, SendingPool } from '../../domain/sending-pool.js';
import { addressId, poolId, teamId, useId } from './example-ids.js';

const stateText =
  '`active`: mail leaves from it. `draining`: nothing new is sent from it, and workers go on looking whether their machine ' +
  'has it. `off`: it is not looked at.';

const snds = {
  title: 'Microsoft: Smart Network Data Services',
  url: 'https://sendersupport.olc.protection.outlook.com/snds/',
};

@Shape('What the DNS says about the name of an address. Answers are kept for five minutes.')
export class ReverseNameResponse {
  @OneOf(
    reverseVerdicts,
    '`confirmed`: a name of the address leads back to it. `mismatch`: none does. `missing`: it has no name. `unknown`: the ' +
      'DNS has not answered within two seconds.',
    'confirmed',
  )
  verdict!: (typeof reverseVerdicts)[number];
  @Texts('The names, at most ten.', ['out1.mail.example']) names!: readonly string[];
}

@Shape('A machine with workers that looked for the address within the last five minutes.')
export class AddressMachineResponse {
  @Text('Its host name.', 'worker-1') name!: string;
  @Flag('Whether it has the address. If not, its workers leave it out.', true) can_send!: boolean;
  @Moment('When it looked last.', '2026-11-30 20:41:12.3+00') seen_at!: string;
}

@Shape('The page of the service that says so.')
export class SndsSourceResponse {
  @Text('Its title.', snds.title) title!: string;
  @Field('Its address.', { format: 'uri' }, snds.url) url!: string;
}

@Shape('What Microsoft says about the address (SNDS), imported once a day.')
export class SndsResponse {
  @Flag('Whether Microsoft refuses mail from the address.', false) blocked!: boolean;
  @TextOrNull('Why it does; null if it does not, or gives no reason.', null) reason!: string | null;
  @TextOrNull('The last day with enough mail to tell, as `yyyy-mm-dd`; null if there was none.', '2026-11-29')
  day!: string | null;
  @OneOfOrNull(
    sndsFilters,
    'What its filter made of the mail of that day. `green`: less than 10% was spam. `red`: more than 90%.',
    'green',
  )
  filter!: (typeof sndsFilters)[number] | null;
  @TextOrNull('How many of the messages were reported as spam, as Microsoft writes it.', '< 0.1%')
  complaint_rate!: string | null;
  @WholeOrNull('Recipients of messages.', 4_210) recipients!: number | null;
  @WholeOrNull('Messages to addresses that are spam traps.', 0) trap_hits!: number | null;
  @Field('Where it comes from.', { type: SndsSourceResponse }) source!: SndsSourceResponse;
}

@Shape('An address that mail leaves from.')
export class SendingAddressSummary {
  @Id('Id of the address.', addressId) id!: string;
  @Text('IPv4 or IPv6 address.', '192.0.2.10') address!: string;
  @Text('The name in EHLO.', 'out1.mail.example') helo_name!: string;
  @TextOrNull('Only workers of this region use it; null: all workers.', 'eu-west-1') region!: string | null;
  @OneOf(addressStates, stateText, 'active') state!: SendingPool['members'][number]['state'];
  @Field('Its reverse name (PTR).', { type: ReverseNameResponse }) reverse_name!: ReverseNameResponse;
  @ListOf(AddressMachineResponse, 'Machines that looked for it, at most 20.')
  machines!: readonly AddressMachineResponse[];
  @Field('What Microsoft says; null if it is not asked (`SNDS_KEY`), or says nothing.', {
    type: SndsResponse,
    nullable: true,
  })
  microsoft!: SndsResponse | null;
  @Moment('When it was added.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @Moment('When it was changed last.', '2026-11-30 20:41:12.3+00') updated_at!: string;
}

@Shape('An address that mail leaves from.')
export class SendingAddressResponse extends SendingAddressSummary {
  @Always('sending_address') object!: 'sending_address';
}

@Shape('The address that was removed.')
export class RemovedAddressResponse extends Deleted(ReferenceTo('sending_address', 'Id of the address.', addressId)) {}

@Shape('An address of a pool.')
export class PoolMemberResponse {
  @Id('Id of the address.', addressId) id!: string;
  @Text('IPv4 or IPv6 address.', '192.0.2.10') address!: string;
  @OneOf(addressStates, stateText, 'active') state!: SendingPool['members'][number]['state'];
  @Whole('Its share of the mail, compared with the weights of the others.', 1) weight!: number;
}

@Shape('A pool of addresses.')
export class SendingPoolSummary {
  @Id('Id of the pool.', poolId) id!: string;
  @Text('Its name.', 'acme') name!: string;
  @ListOf(PoolMemberResponse, 'Its addresses. Without an active one its mail waits.')
  addresses!: readonly PoolMemberResponse[];
  @Moment('When it was made.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @Moment('When it was changed last.', '2026-11-30 20:41:12.3+00') updated_at!: string;
}

@Shape('A pool of addresses.')
export class SendingPoolResponse extends SendingPoolSummary {
  @Always('sending_pool') object!: 'sending_pool';
}

@Shape('The pool that was removed.')
export class RemovedPoolResponse extends Deleted(ReferenceTo('sending_pool', 'Id of the pool.', poolId)) {}

@Shape('A tag of emails.')
export class PoolTagResponse {
  @Text('Its name.', 'category') name!: string;
  @TextOrNull('Its value; null: the tags of this name, whatever their value.', 'newsletter') value!: string | null;
}

@Shape('The mail of a team or a domain that leaves from a pool.')
export class PoolUseSummary {
  @Id('Id of the use.', useId) id!: string;
  @Id('Id of the team.', teamId) team_id!: string;
  @Text('Name of the team.', 'Acme') team!: string;
  @IdOrNull('Id of the domain; null: all mail of the team whose domain has no pool of its own.') domain_id!:
    string | null;
  @TextOrNull('Name of the domain.', 'acme.example') domain!: string | null;
  @Flag('Whether it is for broadcasts alone.', false) broadcasts!: boolean;
  @Field('The tag for which it is; null: all other mail.', { type: PoolTagResponse, nullable: true })
  tag!: PoolTagResponse | null;
  @Moment('Since when.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('The mail of a team or a domain that leaves from a pool.')
export class PoolUseResponse extends PoolUseSummary {
  @Always('sending_pool_use') object!: 'sending_pool_use';
}

@Shape('The use that has ended.')
export class RemovedPoolUseResponse extends Deleted(ReferenceTo('sending_pool_use', 'Id of the use.', useId)) {}

export const addressSummary = (address: ShownAddress): SendingAddressSummary =>
  toResponse(SendingAddressSummary, address, {
    reverse_name: { ...address.reverseName },
    machines: address.machines.map(({ machine, canSend, seenAt }) => ({
      name: machine,
      can_send: canSend,
      seen_at: timestamp(seenAt),
    })),
    microsoft: address.snds === undefined ? null : sndsResponse(address.snds),
  });

function sndsResponse({ activity, blockedFor }: SndsAddress): SndsResponse {
  return {
    blocked: blockedFor !== undefined,
    reason: blockedFor === undefined || blockedFor === '' ? null : blockedFor,
    day: activity?.day ?? null,
    filter: activity?.filter ?? null,
    complaint_rate: activity?.complaintRate ?? null,
    recipients: activity?.recipients ?? null,
    trap_hits: activity?.trapHits ?? null,
    source: { ...snds },
  };
}

export const poolSummary = (pool: SendingPool): SendingPoolSummary =>
  toResponse(SendingPoolSummary, pool, {
    addresses: pool.members.map(({ addressId: member, address, state, weight }) => ({
      id: member,
      address,
      state,
      weight,
    })),
  });

export const useSummary = (use: PoolUse): PoolUseSummary =>
  toResponse(PoolUseSummary, use, {
    broadcasts: use.forBroadcasts,
    tag: use.tag === undefined ? null : { name: use.tag.name, value: use.tag.value ?? null },
  });
