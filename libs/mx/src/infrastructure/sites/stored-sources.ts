import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { PlannedAddress, SendingPlan, SendingPlans } from '../persistence/sending-plans.js';
import { keyOf } from './source-hosts.js';
import type { MailSender, SourceHost, SourcePool, SourceTable } from './source-hosts.js';

interface OwnPool {
  readonly teamId: string;
  readonly pool: SourcePool;
}

/**
 * The pools that the operator keeps in the database, in the memory of a worker: mail is sent without a query. A worker
 * uses the active addresses of its region that its machine has, and leaves out the others.
 */
export class StoredSources implements SourceTable {
  #ofDomain: ReadonlyMap<string, OwnPool> = new Map();
  #ofTeam: ReadonlyMap<string, SourcePool> = new Map();
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

  /** The pool of the domain, or else of its team. */
  poolOf({ domainId, teamId }: MailSender): SourcePool | undefined {
    const own = domainId === undefined ? undefined : this.#ofDomain.get(domainId);
    return own?.teamId === teamId ? own.pool : this.#ofTeam.get(teamId);
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
    const ofDomain = new Map<string, OwnPool>();
    const ofTeam = new Map<string, SourcePool>();
    for (const use of uses) {
      if (use.domainId === null) ofTeam.set(use.teamId, poolOf(use));
      else ofDomain.set(use.domainId, { teamId: use.teamId, pool: poolOf(use) });
    }
    [this.#ofDomain, this.#ofTeam] = [ofDomain, ofTeam];
    const before = this.#usable;
    this.#usable = new Set([...hosts.values()].map(keyOf));
    const retired = [...before].filter((key) => !this.#usable.has(key));
    if (retired.length > 0) this.#onRetired(new Set(retired));
  }
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
