import { expect, it } from '@jest/globals';
import type { UnitOfWork } from '#kernel';
import type { SuppressedAddresses } from '#suppressions';
import type { AskMailHosts } from './ask-mail-hosts.js';
import { ValidateAddresses } from './validate-addresses.query.js';

const bouncedAt = new Date(0);
const order: string[] = [];
const asked = { domains: [] as readonly string[], addresses: [] as readonly string[] };

const validate = new ValidateAddresses(
  {
    of: async (_: string, domains: readonly string[]) => {
      order.push('dns');
      asked.domains = domains;
      return new Map(domains.map((domain) => [domain, 'found' as const]));
    },
  } as unknown as AskMailHosts,
  { has: (domain) => domain === 'minutes.test' },
  {
    among: async () => ({
      originOf: (_: string, address: string) => (address === 'Left@a.test' ? 'manual' : undefined),
    }),
  } as unknown as SuppressedAddresses,
  {
    among: async (_: string, addresses: readonly string[]) => {
      order.push('rows');
      asked.addresses = addresses;
      return new Map([['left@a.test', bouncedAt]]);
    },
  },
  { run: (work: (transaction: unknown) => Promise<unknown>) => work({}) } as unknown as UnitOfWork,
);

it('each address has its own answer, and each domain is asked for once, after the database', async () => {
  const texts = ['Left@a.test', 'not an address', ' info@Box.Minutes.test ', 'left@A.test'];
  const found = await validate.validate('t', texts, () => order.push('free'));
  expect(found).toMatchObject([
    { email: 'Left@a.test', isValid: true, suppressed: 'manual', bouncedAt, mailHosts: 'found', isRole: false },
    { email: 'not an address', isValid: false, suppressed: undefined, bouncedAt: undefined, mailHosts: 'not_checked' },
    { email: ' info@Box.Minutes.test ', isValid: true, isDisposable: true, isRole: true, mailHosts: 'found' },
    { email: 'left@A.test', isDisposable: false, bouncedAt },
  ]);
  expect(asked).toEqual({
    domains: ['a.test', 'box.minutes.test'],
    addresses: ['left@a.test', 'info@box.minutes.test'],
  });
  expect(order).toEqual(['rows', 'free', 'dns']);
});

it('nothing is read for texts that are no addresses', async () => {
  order.length = 0;
  await validate.validate('t', ['', '@', 'a@']);
  expect(order).toEqual(['dns']);
});
