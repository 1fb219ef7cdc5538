import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { TestAuthority } from '../../../../test/support/servers/test-authority.js';
import { AuthorityRefusal } from '../domain/authority-refusal.js';
import { CertificateLease, RenewalWindow } from '../domain/host-certificate.js';
import { ObtainCertificates } from './obtain-certificates.use-case.js';
import { CertificateAuthority, OrderToComplete } from './ports/certificate-authority.port.js';
import { CertificateStore, FailedTry, HostCertificateView, LostLeaseError } from './ports/certificate-store.port.js';

const hour = 3_600_000;
const day = 24 * hour;

/** Notes what it is told. */
class NotedStore extends CertificateStore {
  readonly notes: [string, unknown][] = [];
  own: readonly string[] = [];
  isProvenNow = true;
  hasOrdersLeft = true;
  isLost = false;

  async keepOwnHosts(hosts: readonly string[]): Promise<void> {
    this.own = hosts;
  }
  async followDomains(): Promise<void> {}
  async claim(): Promise<undefined> {}
  async extend(): Promise<void> {}
  async isProven(): Promise<boolean> {
    return this.isProvenNow;
  }
  async mayOrder(_lease: CertificateLease, domain: string): Promise<boolean> {
    this.notes.push(['ordered for', domain]);
    return this.hasOrdersLeft;
  }
  async keepOrder(_lease: CertificateLease, { url }: { url: string }): Promise<void> {
    if (this.isLost) throw new LostLeaseError();
    this.notes.push(['order', url]);
  }
  async keepAnswer(_lease: CertificateLease, token: string): Promise<void> {
    this.notes.push(['answer', token]);
  }
  async issued(_lease: CertificateLease, { dueAt }: { dueAt: Date }): Promise<void> {
    this.notes.push(['issued', dueAt]);
  }
  async revoked(): Promise<void> {
    this.notes.push(['revoked', null]);
  }
  async failed(_lease: CertificateLease, { dueAt, reason, tries, isOrderOver }: FailedTry): Promise<void> {
    this.notes.push(['failed', { dueAt, reason, tries, isOrderOver }]);
  }
  async postponed(_lease: CertificateLease, dueAt: Date, reason: string | null): Promise<void> {
    this.notes.push(['postponed', { dueAt, reason }]);
  }
  async views(): Promise<readonly HostCertificateView[]> {
    return [];
  }
  async reseal(): Promise<void> {}
}

class ScriptedAuthority extends CertificateAuthority {
  window: RenewalWindow | undefined;
  refusal: AuthorityRefusal | undefined;
  orders = 0;
  readonly revoked: string[] = [];
  readonly #issuer = new TestAuthority();

  async isReachable(): Promise<boolean> {
    return true;
  }
  async renewalWindow(): Promise<RenewalWindow | undefined> {
    return this.window;
  }
  async revoke(host: string): Promise<void> {
    this.revoked.push(host);
  }
  async order(host: string): Promise<string> {
    this.orders += 1;
    return `https://authority.test/${host}`;
  }
  async complete({ host, present }: OrderToComplete): Promise<string> {
    await present('token', 'answer');
    if (this.refusal !== undefined) throw this.refusal;
    return this.#issuer.issue(host).cert;
  }
}

describe('ObtainCertificates', () => {
  let store: NotedStore;
  let authority: ScriptedAuthority;
  let clock: FakeClock;
  let certificates: ObtainCertificates;
  const { signal } = new AbortController();

  beforeEach(() => {
    [store, authority, clock] = [new NotedStore(), new ScriptedAuthority(), new FakeClock()];
    certificates = new ObtainCertificates(store, authority, clock);
  });

  const after = (ms: number): Date => new Date(clock.now().getTime() + ms);
  const lease = (changes: Partial<CertificateLease> = {}): CertificateLease => ({
    host: 'links.acme.test',
    lease: 'one',
    domainId: 'domain',
    teamId: 'team',
    tries: 0,
    order: null,
    current: null,
    isRevoked: false,
    ...changes,
  });
  const kinds = (): string[] => store.notes.map(([kind]) => kind);

  it('stores the order before it is proven, and the certificate at the end', async () => {
    expect(await certificates.obtain(lease(), signal)).toBe('issued');
    expect(kinds()).toEqual(['ordered for', 'order', 'answer', 'issued']);
    expect(store.notes[0]).toEqual(['ordered for', 'acme.test']);
  });

  it('continues an order that was begun', async () => {
    await certificates.obtain(lease({ order: { url: 'https://authority.test/begun', key: 'key' } }), signal);
    expect([authority.orders, kinds()]).toEqual([0, ['answer', 'issued']]);
  });

  it('asks nothing for a host that is not proven now, or whose domain has had its share', async () => {
    store.isProvenNow = false;
    expect(await certificates.obtain(lease(), signal)).toBe('postponed');
    store.isProvenNow = true;
    store.hasOrdersLeft = false;
    expect(await certificates.obtain(lease(), signal)).toBe('postponed');
    expect(authority.orders).toBe(0);
    expect(store.notes.at(-1)).toMatchObject(['postponed', { dueAt: after(hour) }]);
  });

  it('waits after a refusal for as long as the authority says, at least', async () => {
    authority.refusal = new AuthorityRefusal('No.', 3 * hour, true);
    expect(await certificates.obtain(lease({ tries: 0 }), signal)).toBe(authority.refusal);
    const failed = { dueAt: after(3 * hour), reason: 'No.', tries: 1, isOrderOver: true };
    expect(store.notes.at(-1)).toEqual(['failed', failed]);
  });

  it('stops without a word once another process has the host', async () => {
    store.isLost = true;
    expect(await certificates.obtain(lease(), signal)).toBeUndefined();
    expect(kinds()).toEqual(['ordered for']);
  });

  it('renews when it is time, or when the authority has moved its window', async () => {
    const current = { chain: 'chain', renewAt: after(10 * day) };
    expect(await certificates.obtain(lease({ current }), signal)).toBe('postponed');
    expect(store.notes.at(-1)).toEqual(['postponed', { dueAt: current.renewAt, reason: null }]);

    authority.window = { start: after(-hour), end: after(hour) };
    expect(await certificates.obtain(lease({ current }), signal)).toBe('issued');
    authority.window = undefined;
    expect(await certificates.obtain(lease({ current: { ...current, renewAt: after(0) } }), signal)).toBe('issued');
  });

  it('waits an hour where the authority wants a new certificate to be renewed at once', async () => {
    authority.window = { start: after(-2 * hour), end: after(-hour) };
    await certificates.obtain(lease(), signal);
    expect(store.notes.at(-1)).toEqual(['issued', after(hour)]);
  });

  it('keeps no host that no authority knows', async () => {
    await certificates.keepHosts([
      'mx.example.com',
      'mx.example.com',
      '127.0.0.1',
      'localhost',
      'set-host-name.invalid',
    ]);
    expect(store.own).toEqual(['mx.example.com']);
  });

  it('revokes a certificate whose key others may have, before another one is ordered', async () => {
    const current = { chain: 'chain', renewAt: after(day) };
    expect(await certificates.obtain(lease({ current, isRevoked: true }), signal)).toBe('revoked');
    expect([authority.revoked, authority.orders, kinds()]).toEqual([['links.acme.test'], 0, ['revoked']]);
  });
});
