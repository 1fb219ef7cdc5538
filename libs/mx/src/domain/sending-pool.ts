/** `draining` and `off`: nothing new is sent from it. Workers still look whether they have an address that is draining. */
export const addressStates = ['active', 'draining', 'off'] as const;
export type AddressState = (typeof addressStates)[number];

export const maxAddresses = 1_000;
export const maxPools = 200;
export const maxAddressesOfPool = 100;
export const maxWeight = 100;
/** Teams, domains, tags and broadcasts with a pool. Each worker keeps them in memory. */
export const maxUses = 10_000;

/** A pool's name stands in traces and logs. */
export const poolName = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Whether a worker on this machine could send from an address when it looked last. */
export interface AddressOnMachine {
  readonly machine: string;
  readonly canSend: boolean;
  readonly seenAt: Date;
}

/** An address that mail leaves from. */
export interface SendingAddress {
  readonly id: string;
  /** IPv4 or IPv6. */
  readonly address: string;
  /** The name in EHLO. */
  readonly heloName: string;
  /** Only workers of this region use it. Undefined: all workers. */
  readonly region?: string;
  readonly state: AddressState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PoolMember {
  readonly addressId: string;
  /** Its share of the pool's mail, compared with the weights of the others. */
  readonly weight: number;
}

export interface SendingPool {
  readonly id: string;
  readonly name: string;
  readonly members: readonly (PoolMember & { readonly address: string; readonly state: AddressState })[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A name or a value of a tag, as emails may have it. */
export const tagText = /^[A-Za-z0-9_-]{1,256}$/;

/** A tag of emails. Without a value: the tags of this name, whatever their value. */
export interface PoolTag {
  readonly name: string;
  readonly value?: string;
}

/**
 * The mail that uses a pool: of a domain, or of a team whose domain has no pool of its own; or only the broadcasts of one
 * of them, or the emails of a team with a tag.
 */
export interface PoolUse {
  readonly id: string;
  readonly teamId: string;
  readonly team: string;
  readonly domainId?: string;
  readonly domain?: string;
  readonly forBroadcasts: boolean;
  readonly tag?: PoolTag;
  readonly createdAt: Date;
}
