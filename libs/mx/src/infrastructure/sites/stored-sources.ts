import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { PlannedAddress, SendingPlan, SendingPlans } from '../persistence/sending-plans.js';
import { keyOf } from './source-hosts.js';
import type { MailSender, SourceHost, SourcePool, SourceTable } from './source-hosts.js';

/** Pools by what uses them. */
interface PoolsOfUses {
  readonly domains: Map<string, OwnPool>;
  readonly teams: Map<string, SourcePool>;
}

interface OwnPool {
  readonly teamId: string;
  readonly pool: SourcePool;
}

/** By name and value, and by name alone. */
type PoolsOfTags = Map<string, SourcePool>;

/**
 * The pools that the operator keeps in the database, in the memory of a worker: mail is sent without a query. A worker
 * uses the active addresses of its region that its machine has, and leaves out the others.
 */
export class StoredSources implements SourceTable {
  #ofAll = noPools();
  #ofBroadcasts = noPools();
  /** By team. */
  #ofTags: ReadonlyMap<string, PoolsOfTags> = new Map();
  /** Those that mail may leave from now, by `keyOf`. */
  #usable: ReadonlySet<string> = new Set();
  #known = '';
  #refreshing: Promise<void> | undefined;
  #isStale = false;
  #onRetired: (sources: ReadonlySet<string>) => void = () => undefined;

  constructor(
    private readonly plans: SendingPlans,
    private readonly machine: { readonly name: string; readonly region: string | undefined },
    private readonly hasAddress: (address: string) => Promise<boolean> = canBind,
  ) {}

  /** Calls back with the sources from which nothing new may be sent any more. */
  whenRetired(onRetired: (sources: ReadonlySet<string>) => void): void {
    this.#onRetired = onRetired;
  }

  /** Emails of broadcasts have no tags. */
  asksForTags({ teamId, isBulk }: MailSender): boolean {
    return isBulk !== true && this.#ofTags.has(teamId);
  }

  /** The pool of broadcasts, of a tag, of the domain or of its team, in this order. */
  poolOf(sender: MailSender): SourcePool | undefined {
    const special =
      sender.isBulk === true ? poolIn(this.#ofBroadcasts, sender) : poolOfTag(this.#ofTags.get(sender.teamId), sender);
    return special ?? poolIn(this.#ofAll, sender);
  }

  /** Reads the pools again. A call while another one reads is answered by one more reading after it. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#refreshing ??= this.#refreshWhileStale().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #refreshWhileStale(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const plan = await this.plans.read();
      const { region } = this.machine;
      const addresses = plan.addresses.filter((each) => region === undefined || (each.region ?? region) === region);
      const found = new Map<string, boolean>();
      await Promise.all(addresses.map(async ({ id, address }) => found.set(id, await this.hasAddress(address))));
      const usable = addresses.filter(({ id, isActive }) => isActive && found.get(id) === true);
      this.#take(plan, usable);
      if (found.size > 0) await this.plans.note(this.machine.name, found);
    }
  }

  #take({ members, uses }: SendingPlan, usable: readonly PlannedAddress[]): void {
    // Turns go on where nothing has changed.
    const known = JSON.stringify([members, uses, usable]);
    if (known === this.#known) return;
    this.#known = known;
    const hosts = new Map(usable.map((address) => [address.id, hostOf(address)]));
    const pools = new Map<string, SourceHost[]>();
    for (const { poolId, addressId, weight } of members) {
      const host = hosts.get(addressId);
      const pool = pools.get(poolId) ?? [];
      pools.set(poolId, pool);
      if (host !== undefined) pool.push({ ...host, weight });
    }
    const poolOf = ({ poolId, pool }: SendingPlan['uses'][number]): SourcePool => ({
      name: pool,
      hosts: pools.get(poolId) ?? [],
    });
    const [ofAll, ofBroadcasts] = [noPools(), noPools()];
    const ofTags = new Map<string, PoolsOfTags>();
    for (const use of uses) {
      const { teamId, domainId, forBroadcasts, tagName, tagValue } = use;
      const { domains, teams } = forBroadcasts ? ofBroadcasts : ofAll;
      if (tagName !== null) {
        const ofTeam = ofTags.get(teamId) ?? new Map<string, SourcePool>();
        ofTags.set(teamId, ofTeam.set(tagKey(tagName, tagValue), poolOf(use)));
      } else if (domainId !== null) domains.set(domainId, { teamId, pool: poolOf(use) });
      else teams.set(teamId, poolOf(use));
    }
    [this.#ofAll, this.#ofBroadcasts, this.#ofTags] = [ofAll, ofBroadcasts, ofTags];
    const before = this.#usable;
    this.#usable = new Set([...hosts.values()].map(keyOf));
    const retired = [...before].filter((key) => !this.#usable.has(key));
    if (retired.length > 0) this.#onRetired(new Set(retired));
  }
}

function noPools(): PoolsOfUses {
  return { domains: new Map(), teams: new Map() };
}

/** The pool of the domain, or else of its team. */
function poolIn({ domains, teams }: PoolsOfUses, { domainId, teamId }: MailSender): SourcePool | undefined {
  const own = domainId === undefined ? undefined : domains.get(domainId);
  return own?.teamId === teamId ? own.pool : teams.get(teamId);
}

/** The first tag whose name and value have a pool, or else the first tag whose name has one. */
function poolOfTag(pools: PoolsOfTags | undefined, { tags = [] }: MailSender): SourcePool | undefined {
  if (pools === undefined) return undefined;
  const keys = [...tags.map(({ name, value }) => tagKey(name, value)), ...tags.map(({ name }) => tagKey(name))];
  const key = keys.find((each) => pools.has(each));
  return key === undefined ? undefined : pools.get(key);
}

/** A tag has no spaces. */
function tagKey(name: string, value: string | null = null): string {
  return value === null ? name : `${name} ${value}`;
}

function hostOf({ address, heloName }: PlannedAddress): SourceHost {
  return isIPv6(address) ? { heloName, ipv6: address } : { heloName, ipv4: address };
}

/** Whether this machine has the address. Nothing is sent. */
function canBind(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ address, port: 0, exclusive: true }, () => {
      socket.close();
      resolve(true);
    });
  });
}
