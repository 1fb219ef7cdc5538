import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryDnsResolver } from '#domains';
import { MessageOrigin } from '../../application/ports/message-judge.port.js';
import { dmarcRecordOf, evaluateDmarc, readPolicy, SenderDns, SpfResults, worstOf } from './sender-checks.js';

let zones: InMemoryDnsResolver;
let results: SpfResults;

beforeEach(() => {
  zones = new InMemoryDnsResolver();
  results = new SpfResults(new SenderDns(zones), 'mx.service.test');
});

function origin(fields: { address?: string; mailFrom?: string; helo?: string } = {}): MessageOrigin {
  const { address = '192.0.2.1', mailFrom = 'ada@customer.test', helo = 'mx.customer.test' } = fields;
  return { client: { address, helo, tls: null }, network: '192.0.2.0/24', mailFrom, isLocal: false };
}

describe('SPF', () => {
  it('each client and each sender have a result of their own', async () => {
    zones.set('customer.test', { txt: ['v=spf1 ip4:192.0.2.1 -all'] });
    zones.set('mx.customer.test', { txt: ['v=spf1 ?all'] });
    const result = async (fields = {}) => (await results.of(origin(fields))).result;
    for (let time = 0; time < 2; time++) {
      expect(await result()).toBe('pass');
      expect(await result({ address: '192.0.2.2' })).toBe('fail');
      expect(await result({ mailFrom: 'ada@other.test' })).toBe('none');
      expect(await result({ mailFrom: '' })).toBe('neutral');
      expect(await result({ mailFrom: '', helo: 'mx.other.test' })).toBe('none');
    }
  });

  it('macros see the whole sender', async () => {
    zones.set('customer.test', { txt: ['v=spf1 exists:%{l}.users.customer.test -all'] });
    zones.set('ada.users.customer.test', { a: ['127.0.0.2'] });
    expect(await results.of(origin())).toEqual({ result: 'pass', domain: 'customer.test' });
    expect(await results.of(origin({ mailFrom: 'eve@customer.test' }))).toMatchObject({ result: 'fail' });
  });

  it('trouble of the DNS is not remembered', async () => {
    zones.fail('customer.test');
    const [one, other] = await Promise.all([results.of(origin()), results.of(origin())]);
    expect([one?.result, other?.result]).toEqual(['temperror', 'temperror']);
    zones.set('customer.test', { txt: ['v=spf1 ip4:192.0.2.1 -all'] });
    expect(await results.of(origin())).toMatchObject({ result: 'pass' });
  });
});

const noSpf = { result: 'fail', domain: 'a.test' } as const;
const signature = (domain: string, result = 'pass') => ({ result, domain, selector: 's' }) as never;

describe('DMARC', () => {
  it.each([
    ['v=DMARC1; p=reject', false, 'reject'],
    ['v=DMARC1;p=Reject;pct=50', false, 'quarantine'],
    ['v=DMARC1; p=quarantine; t=y', false, 'none'],
    ['v=DMARC1; p=reject; sp=none', true, 'none'],
    ['v=DMARC1; p=reject; sp=none', false, 'reject'],
    ['v=DMARC1; p=reject', true, 'reject'],
    ['v=DMARC1', false, undefined],
    ['v=DMARC1; p=destroy', false, undefined],
  ])('%s asks for the policy (of the parent: %p) %s', (record, isOfParent, policy) => {
    expect(readPolicy(record, isOfParent)?.policy).toBe(policy);
  });

  it('takes exactly one record', () => {
    expect(dmarcRecordOf(['v=spf1 -all', 'v=DMARC1; p=none'])).toBe('v=DMARC1; p=none');
    expect(dmarcRecordOf(['v=DMARC1; p=none', 'v=DMARC1; p=reject'])).toBeUndefined();
    expect(dmarcRecordOf(['v=DMARC10; p=none', 'v=dmarc1'])).toBe('v=dmarc1');
  });

  it('aligns by the organizational domain, and exactly where the owner asks for it', () => {
    const relaxed = readPolicy('v=DMARC1; p=reject', false);
    const strict = readPolicy('v=DMARC1; p=reject; adkim=s; aspf=s', false);
    const of = (policy: typeof relaxed, domain: string) => evaluateDmarc('a.co.uk', policy, noSpf, [signature(domain)]);
    expect(of(relaxed, 'mail.a.co.uk')).toMatchObject({ result: 'pass', alignedBy: ['dkim'] });
    expect(of(strict, 'mail.a.co.uk').result).toBe('fail');
    expect(of(strict, 'a.co.uk').result).toBe('pass');
    expect(of(relaxed, 'b.co.uk').result).toBe('fail');
    expect(evaluateDmarc('a.test', strict, { result: 'pass', domain: 'send.a.test' }, []).result).toBe('fail');
    expect(evaluateDmarc('a.test', relaxed, { result: 'pass', domain: 'send.a.test' }, []).result).toBe('pass');
  });

  it('does not fail a message whose check could not be made', () => {
    const policy = readPolicy('v=DMARC1; p=reject', false);
    expect(evaluateDmarc('a.test', policy, noSpf, [signature('a.test', 'temperror')]).result).toBe('temperror');
    expect(evaluateDmarc('a.test', undefined, noSpf, []).result).toBe('none');
  });

  it('of several authors the worst counts', () => {
    const pass = { result: 'pass', domain: 'a.test', alignedBy: [] } as const;
    const fail = { result: 'fail', domain: 'b.test', policy: 'none', alignedBy: [] } as const;
    const rejected = { ...fail, policy: 'reject' } as const;
    expect(worstOf([pass, fail, rejected])).toBe(rejected);
    expect(worstOf([])).toBeUndefined();
  });
});
