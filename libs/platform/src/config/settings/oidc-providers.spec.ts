import { expect, it } from '@jest/globals';
import { oidcProviders } from './oidc-providers.js';

const team = '0193b0a4-0000-7000-8000-000000000001';
const least = {
  id: 'keycloak',
  name: 'Acme',
  issuer: 'https://id.acme.test/realms/acme',
  client_id: 'postrider',
  client_secret: 'a secret',
};
const { parse } = oidcProviders('OIDC_PROVIDERS', '');
const read = (...providers: readonly object[]) => parse(JSON.stringify(providers));

it('a provider needs five fields, and has safe defaults for the others', () => {
  expect(read(least)).toMatchObject([
    { id: 'keycloak', logo: null, scopes: [], groupsClaim: 'groups', groups: {}, trustsAddresses: false, domains: [] },
  ]);
  const groups = { admins: { [team]: 'admin' } };
  expect(read({ ...least, groups, domains: ['Acme.Test'] })).toMatchObject([{ groups, domains: ['acme.test'] }]);
  expect(read({ ...least, logo: 'https://id.acme.test/logo.svg' }, { ...least, id: 'b' })).toHaveLength(2);
});

it.each<[string, object, RegExp]>([
  ['an unknown field', { secret: 'x' }, /^provider 1: there is no field `secret`$/],
  ['a missing text', { client_secret: undefined }, /^provider 1: `client_secret` must be a text$/],
  ['the id of another way to sign in', { id: 'credential' }, /`id` must be/],
  ['an id that is no part of a path', { id: '../google' }, /`id` must be/],
  ['an issuer that anybody in between can be', { issuer: 'http://id.acme.test' }, /`issuer` must be an https/],
  ['a logo that ends the policy of the pages', { logo: 'https://a.test/;script-src *' }, /`logo` must be/],
  ['a logo that runs', { logo: 'data:text/html;base64,AAAA' }, /`logo` must be/],
  ['a team that is not named by its id', { groups: { admins: { shop: 'admin' } } }, /`groups` must be/],
  ['a role that does not exist', { groups: { admins: { [team]: 'root' } } }, /`groups` must be .{0,80} viewer$/],
  ['a text for a switch', { trusts_addresses: 'yes' }, /`trusts_addresses` must be true or false/],
  ['a text for a list', { domains: 'acme.test' }, /`domains` must be an array/],
])('refuses %s', (_, change, message) => {
  expect(() => read({ ...least, ...change })).toThrow(message);
});

it('refuses what is no list, and two providers with one id, without their values', () => {
  expect(() => parse('{"client_secret":"a secret"')).toThrow('must be a JSON array of at most 20 providers');
  expect(() => read(least, least)).toThrow('has two providers with one `id`');
});
