import { describe, expect, it } from '@jest/globals';
import { addressSpellings } from './address-spellings.js';

const isWithin = (address: string, text: string): boolean => new RegExp(addressSpellings(address).within).test(text);

describe('the address stands in', () => {
  it.each([
    ['ada@x.test', 'ada@x.test'],
    ['ada@x.test', '{"to":["Ada <ADA@X.test>"]}'],
    ['ada@x.test', '{"email":"ada@x.test"}'],
    ['ada@x.test', 'mailto:ada@x.test?subject=x'],
    ['ada@x.test', "write to 'ada@x.test', please"],
    ['ada@x.test', '“ada@x.test”'],
    ['ada@x.test', 'It is ada@x.test.'],
    ['ada@x.test', 'email=ada@x.test&page=2'],
    ['ada@x.test', '/contacts/ada%40x.test/topics'],
    ['a+b@x.test', '/contacts/a%2Bb%40x.test'],
    ['ada@x.test', '{"text":"Dear\\nada@x.test\\nbye"}'],
    ['ada@x.test', '**ada@x.test**'],
    ['ada@x.test', 'ada@x.test@elsewhere'],
    ['kim@x.test', '\u212aim@x.test'],
    ["o'neil@x.test", "O'NEIL@x.test"],
    ['"john doe"@x.test', '{"to":"\\"John Doe\\"@x.test"}'],
    ['maria@xn--bcher-kva.test', 'Maria@BÜCHER.test'],
    ['maria@xn--bcher-kva.test', 'maria@bu\u0308cher.test'],
    ['maria@xn--bcher-kva.test', 'maria@XN--bcher-kva.test'],
    ['maria@xn--bcher-kva.test', '/contacts/maria%40b%C3%BCcher.test'],
    ['ΣΑΣ@x.test'.toLowerCase(), 'ΣΑΣ@x.test'],
    ['ΣΑΣ@x.test'.toLowerCase(), 'σασ@x.test'],
    ['σασ@x.test', 'Σας@x.test'],
    ['İan@x.test'.toLowerCase(), 'İAN@x.test'],
    ['ÅSA@x.test'.toLowerCase(), '\u212bsa@x.test'],
  ])('%s: %s', (address, text) => expect(isWithin(address, text)).toBe(true));
});

describe('the address of somebody else stands in', () => {
  it.each([
    ['a@x.test', 'maria@x.test'],
    ['a@x.test', 'a@x.test.example'],
    ['a@x.test', 'a@x.testing'],
    ['a@x.test', 'a@x.test-example.org'],
    ['a@x.test', 'ma.a@x.test'],
    ['a@x.test', 'b+a@x.test'],
    ['a@x.test', 'b-a@x.test'],
    ['a@x.test', '/contacts/b%2Ba%40x.test'],
    ['a@x.test', 'éa@x.test'],
    ['a@x.test', 'a@x.testé.example'],
    ['neil@x.test', "o'neil@x.test"],
    ['a.b@x.test', 'aXb@x.test'],
    ['i@x.test', 'İ@x.test'],
    ['strasse@x.test', 'straße@x.test'],
    ['a@xn--bcher-kva.test', 'a@bucher.test'],
  ])('%s: %s', (address, text) => expect(isWithin(address, text)).toBe(false));
});

it('a mailbox is matched as a whole, with its name', () => {
  const { mailbox } = addressSpellings('ada@x.test');
  const is = (text: string): boolean => new RegExp(mailbox).test(text);
  expect(['ada@x.test', 'ADA@x.test', 'Ada <ada@X.test>', '"Ada, the first" <ada@x.test>'].map(is)).not.toContain(
    false,
  );
  expect(['maria@x.test', 'ada@x.test <eve@x.test>', 'Ada <maria@x.test>', 'ada@x.test.example'].map(is)).not.toContain(
    true,
  );
});

it('columns of lower-case addresses are asked for each lower case', () => {
  expect(addressSpellings('ada@x.test').stored).toEqual(['ada@x.test']);
  expect([...addressSpellings('σας@x.test').stored].sort()).toEqual(['σας@x.test', 'σασ@x.test']);
  expect(addressSpellings('straße@x.test').stored).toEqual(['straße@x.test']);
});

it('what stands around the address stays', () => {
  const { within } = addressSpellings('ada@x.test');
  expect('for <ada@x.test>, ADA@x.test;'.replace(new RegExp(within, 'g'), '$1erased')).toBe('for <erased>, erased;');
});
