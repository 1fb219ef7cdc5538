import { expect, it } from '@jest/globals';
import { Cells, MailElsewhereError } from './cells.js';

const us = { name: 'us-east-1', url: 'https://us.test' };
const eu = { name: 'eu-west-1', url: 'https://eu.test' };

it('an installation with one database is its own home, and sends for every region', () => {
  expect(Cells.none.isHome).toBe(true);
  expect(() => Cells.none.requireOwn({ name: 'acme.test', region: 'eu-west-1' })).not.toThrow();
});

it('mail belongs to the cell of its region, and to the home cell where its region has none', () => {
  const cells = new Cells('eu-west-1', [us, eu]);
  expect([cells.home, cells.isHome, cells.own, cells.others]).toEqual([us, false, eu, [us]]);
  expect(() => cells.requireOwn({ name: 'acme.test', region: 'eu-west-1' })).not.toThrow();
  for (const region of ['us-east-1', 'sa-east-1']) {
    expect(() => cells.requireOwn({ name: 'acme.test', region })).toThrow(MailElsewhereError);
  }
});
