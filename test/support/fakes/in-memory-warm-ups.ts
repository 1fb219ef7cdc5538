import {
  Allowance,
  WarmedPair,
  WarmedProvider,
  WarmingDomain,
  WarmUp,
  WarmUps,
} from '../../../libs/reputation/src/application/ports/warm-ups.port.js';
import {
  hourOf,
  leftOf,
  newRamp,
  nextAt,
  Ramp,
  rampAt,
  withSent,
} from '../../../libs/reputation/src/domain/warm-up.js';

/** Warm-ups in memory. Nothing that they let go is deferred or refused. */
export class InMemoryWarmUps extends WarmUps {
  readonly kept = new Map<string, WarmUp>();
  readonly ramps = new Map<string, Ramp>();

  async list(): Promise<readonly WarmingDomain[]> {
    const running = [...this.kept.values()].filter(({ endedAt }) => endedAt === undefined);
    return running.map(({ domainId }) => ({
      domainId,
      doneProviders: this.pairsOf(domainId).flatMap(({ provider, ramp }) => (ramp.isDone ? [provider] : [])),
    }));
  }

  async take(pair: WarmedPair, wanted: number, now: Date): Promise<Allowance> {
    const warmUp = this.kept.get(pair.domainId);
    if (warmUp === undefined || warmUp.endedAt !== undefined) return { taken: wanted, nextAt: undefined };
    const { schedule } = warmUp;
    const ramp = rampAt(this.ramps.get(keyOf(pair)) ?? newRamp(hourOf(now)), schedule, hourOf(now), 0);
    const taken = ramp.isDone ? wanted : Math.min(wanted, leftOf(ramp, schedule));
    const after = withSent(ramp, schedule, taken);
    this.ramps.set(keyOf(pair), after);
    return { taken, nextAt: taken < wanted ? nextAt(after, schedule) : undefined };
  }

  async giveBack(pair: WarmedPair, count: number): Promise<void> {
    const ramp = this.ramps.get(keyOf(pair));
    if (ramp === undefined) return;
    this.ramps.set(keyOf(pair), { ...ramp, hourSent: ramp.hourSent - count, daySent: ramp.daySent - count });
  }

  async of(domainId: string): Promise<WarmUp | undefined> {
    return this.kept.get(domainId);
  }

  async providersOf({ domainId, schedule }: WarmUp, now: Date): Promise<readonly WarmedProvider[]> {
    return this.pairsOf(domainId).map(({ provider, ramp }) => ({
      provider,
      ramp: rampAt(ramp, schedule, hourOf(now), 0),
    }));
  }

  async rampOf(pair: WarmedPair, now: Date): ReturnType<WarmUps['rampOf']> {
    const warmUp = this.kept.get(pair.domainId);
    if (warmUp === undefined || warmUp.endedAt !== undefined) return undefined;
    const { schedule } = warmUp;
    const ramp = this.ramps.get(keyOf(pair));
    return { domain: 'acme.test', schedule, ramp: ramp && rampAt(ramp, schedule, hourOf(now), 0) };
  }

  async start(warmUp: WarmUp): Promise<void> {
    const { startedAt } = this.kept.get(warmUp.domainId) ?? warmUp;
    this.kept.set(warmUp.domainId, { ...warmUp, startedAt });
  }

  async end(domainId: string, now: Date): Promise<boolean> {
    const warmUp = this.kept.get(domainId);
    if (warmUp === undefined || warmUp.endedAt !== undefined) return false;
    this.kept.set(domainId, { ...warmUp, endedAt: now });
    return true;
  }

  async endFinished(): Promise<void> {}

  private pairsOf(domainId: string): readonly WarmedProvider[] {
    return [...this.ramps].flatMap(([key, ramp]) => {
      const [domain, provider] = key.split(' ') as [string, string];
      return domain === domainId ? [{ provider, ramp }] : [];
    });
  }
}

const keyOf = ({ domainId, provider }: WarmedPair): string => `${domainId} ${provider}`;
