import type { Page, PageRequest } from '#kernel';
import { AddressOnMachine, SendingAddress } from '../../domain/sending-pool.js';

/** An address, and the machines that looked for it within the last minutes, at most 20. */
export type KnownAddress = SendingAddress & { readonly machines: readonly AddressOnMachine[] };

export interface AddressChanges {
  readonly heloName?: string;
  /** Null: of all regions. */
  readonly region?: string | null;
  readonly state?: SendingAddress['state'];
}

/** Stores the addresses of the installation. Each change reaches all workers within moments. */
export abstract class AddressRepository {
  /** `taken`: it is there already. `full`: there are `max` addresses. */
  abstract add(address: SendingAddress, max: number): Promise<'added' | 'taken' | 'full'>;
  abstract find(id: string): Promise<KnownAddress | undefined>;
  /** Newest first. */
  abstract list(page: PageRequest): Promise<Page<KnownAddress>>;
  /**
   * The active addresses that mail of a domain may leave from: those of the pool of the domain, or else of its team, and
   * those of the pools of its broadcasts and of the tags of its team.
   */
  abstract ofSender(teamId: string, domainId: string): Promise<readonly SendingAddress[]>;
  /** False if there is no such address. */
  abstract change(id: string, changes: AddressChanges, now: Date): Promise<boolean>;
  /** `used`: a pool has it. */
  abstract remove(id: string): Promise<'removed' | 'used' | 'unknown'>;
}
