import { ServiceNames } from '#domains';
import type { Principal } from '#identity';
import { ReadProviderReports } from '#provider-reports';
import type { SndsAddress } from '#provider-reports';
import { Clock, DomainError, found, newId, NotFoundError, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { maxAddresses, SendingAddress } from '../domain/sending-pool.js';
import { AddressChanges, AddressRepository, KnownAddress } from './ports/address-repository.port.js';
import { ReverseName, ReverseNames } from './reverse-names.js';

export class SendingAddressTakenError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'This address is there already.');
  }
}

export class TooManyAddressesError extends DomainError {
  constructor() {
    super('invalid', 'validation_error', `There may be at most ${maxAddresses} addresses.`);
  }
}

export class AddressInPoolError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'A pool has this address. Take it out of its pools first.');
  }
}

export type ShownAddress = KnownAddress & {
  readonly reverseName: ReverseName;
  /** Undefined if Microsoft is not asked, or says nothing about the address. */
  readonly snds: SndsAddress | undefined;
};

/** The addresses that mail of all teams leaves from, for the operator. */
@Injectable()
export class KeepAddresses {
  constructor(
    private readonly addresses: AddressRepository,
    private readonly reverseNames: ReverseNames,
    private readonly providers: ReadProviderReports,
    private readonly regions: ServiceNames,
    private readonly clock: Clock,
  ) {}

  async add(
    principal: Principal,
    fields: Pick<SendingAddress, 'address' | 'heloName' | 'region' | 'state'>,
  ): Promise<ShownAddress> {
    principal.require('installation:write');
    if (fields.region !== undefined) this.regions.regionOf(fields.region);
    const now = this.clock.now();
    const address = { ...fields, id: newId(now.getTime()), createdAt: now, updatedAt: now };
    const added = await this.addresses.add(address, maxAddresses);
    if (added === 'taken') throw new SendingAddressTakenError();
    if (added === 'full') throw new TooManyAddressesError();
    return this.find(principal, address.id);
  }

  async find(principal: Principal, id: string): Promise<ShownAddress> {
    principal.require('installation:read');
    const address = found('Address', await this.addresses.find(id));
    const [shown] = await this.shown([address]);
    return shown as ShownAddress;
  }

  async list(principal: Principal, request: PageRequest): Promise<Page<ShownAddress>> {
    principal.require('installation:read');
    const page = await this.addresses.list(request);
    return { ...page, items: await this.shown(page.items) };
  }

  async change(principal: Principal, id: string, changes: AddressChanges): Promise<ShownAddress> {
    principal.require('installation:write');
    if (typeof changes.region === 'string') this.regions.regionOf(changes.region);
    if (!(await this.addresses.change(id, changes, this.clock.now()))) throw new NotFoundError('Address');
    return this.find(principal, id);
  }

  async remove(principal: Principal, id: string): Promise<void> {
    principal.require('installation:write');
    const removed = await this.addresses.remove(id);
    if (removed === 'unknown') throw new NotFoundError('Address');
    if (removed === 'used') throw new AddressInPoolError();
  }

  private async shown(addresses: readonly KnownAddress[]): Promise<ShownAddress[]> {
    const written = addresses.map(({ address }) => address);
    const [names, snds] = await Promise.all([this.reverseNames.of(written), this.providers.ofAddresses(written)]);
    return addresses.map((address, index) => ({
      ...address,
      reverseName: names[index] as ReverseName,
      snds: snds[index],
    }));
  }
}
