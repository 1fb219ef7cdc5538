import { expect, it } from '@jest/globals';
import { ReadBudget } from './read-budget.js';

const mebibyte = 1024 * 1024;
const links = 'links team';

it('an address that follows the links of a team can use at most half of the share of these links', async () => {
  const budget = new ReadBudget();
  const hog = { address: 'address 192.0.2.1', links };
  for (let taken = 0; taken < 4; taken++) await budget.take(hog, 16 * mebibyte);

  await expect(budget.take(hog, 16 * mebibyte, 1)).rejects.toThrow('Too many large answers');
  await budget.take({ address: 'address 192.0.2.2', links }, 64 * mebibyte, 1);
});

it('all addresses that follow the links of a team share the maximum of one team', async () => {
  const budget = new ReadBudget();
  const readers = [1, 2, 3].map((last) => ({ address: `address 192.0.2.${last}`, links }));
  const taken = await Promise.allSettled(readers.map((reader) => budget.take(reader, 60 * mebibyte, 1)));

  expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  // The team itself does not wait for readers of its links.
  await budget.take('team', 100 * mebibyte, 1);
});

it('a share for a link is released for the address and for the links of the team', async () => {
  const budget = new ReadBudget();
  const reader = { address: 'address 192.0.2.1', links };
  for (let round = 0; round < 10; round++) (await budget.take(reader, 128 * mebibyte, 1)).release();
});
