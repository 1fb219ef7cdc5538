import { expect, it } from '@jest/globals';
import { MissingPermissionError, RestrictedApiKeyError } from './identity-errors.js';
import { Permission, permissions, TeamRole } from './permission.js';
import { Principal } from './principal.js';

const apiKey = (permission: 'full_access' | 'sending_access', domainId: string | null = null): Principal =>
  Principal.ofApiKey({ id: 'key', teamId: 'team', permission, domainId });
const user = (role: TeamRole): Principal => Principal.ofUser({ id: 'user', teamId: 'team', role });
const granted = (principal: Principal): string[] => permissions.filter((permission) => principal.may(permission));

it('a key with full access may do everything, a sending key may only send', () => {
  expect(granted(apiKey('full_access'))).toEqual([...permissions]);
  expect(granted(apiKey('sending_access'))).toEqual(['broadcasts:send', 'emails:send']);
});

it('owners and admins may do everything, developers everything except to administer, viewers only read', () => {
  expect(granted(user('owner'))).toEqual([...permissions]);
  expect(granted(user('admin'))).toEqual([...permissions]);
  expect(permissions.filter((permission) => !user('developer').may(permission))).toEqual([
    'api-keys:write',
    'audit:read',
    'privacy:erase',
    'privacy:export',
    'team:write',
  ]);
  expect(granted(user('viewer'))).toEqual(
    permissions.filter((permission) => permission.endsWith(':read') && permission !== 'audit:read'),
  );
});

it('a tool may do what the user may do and has given to it', () => {
  const named = { grantId: 'grant', name: 'A tool' };
  const tool = (role: TeamRole, given: Permission[]): Principal =>
    Principal.ofTool({ userId: 'user', teamId: 'team', role, permissions: new Set(given), tool: named });
  expect(granted(tool('viewer', ['emails:read', 'emails:send']))).toEqual(['emails:read']);
  expect(granted(tool('owner', ['emails:send']))).toEqual(['emails:send']);
});

it('the service may send and record what recipients choose, and nothing else', () => {
  expect(granted(Principal.ofService('team'))).toEqual(['audience:write', 'emails:send']);
});

it('a refusal names the missing permission, and to an API key it is the error of the contract', () => {
  expect(() => apiKey('sending_access').require('domains:read')).toThrow(RestrictedApiKeyError);
  expect(() => user('viewer').require('emails:send')).toThrow(MissingPermissionError);
  expect(() => user('viewer').require('emails:read')).not.toThrow();
});

it('a key that is restricted to a domain acts for that domain only', () => {
  expect(apiKey('sending_access', 'domain').isForDomain('domain')).toBe(true);
  expect(apiKey('sending_access', 'domain').isForDomain('other')).toBe(false);
  expect(apiKey('full_access').isForDomain('other')).toBe(true);
  expect(user('owner').isForDomain('other')).toBe(true);
});
