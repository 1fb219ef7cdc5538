import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Authority, presentPermissions } from './authority.js';
import { permissions } from './permission.js';
import { Principal } from './principal.js';

const [id, teamId] = [newId(), newId()];
const gone = { access: null, isOfTool: false, role: null };
const numberOf = (authority: Authority, left: object): number =>
  presentPermissions(authority, { ...gone, ...left }).size;

it('a principal hands on what it is: the service nothing that bounds it, a tool what it was given', () => {
  expect(Principal.ofService(teamId).authority()).toBeNull();
  expect(Principal.ofUser({ id, teamId, role: 'owner' }).authority()).toEqual({ kind: 'user', id, teamId });
  const key = { id, teamId, permission: 'full_access', domainId: null } as const;
  expect(Principal.ofApiKey(key).authority()).toEqual({ kind: 'api_key', id });
  const tool = Principal.ofTool({
    userId: newId(),
    teamId,
    role: 'viewer',
    permissions: new Set(['emails:read', 'emails:send']),
    tool: { grantId: id, name: 'A tool' },
  });
  expect(tool.authority()).toEqual({ kind: 'tool', id, permissions: ['emails:read'] });
});

it('a key that is deleted, a grant that has ended and a user who has left may do nothing', () => {
  expect(numberOf({ kind: 'api_key', id }, {})).toBe(0);
  expect(numberOf({ kind: 'api_key', id }, { access: 'full_access', isOfTool: true })).toBe(0);
  expect(numberOf({ kind: 'tool', id, permissions: [...permissions] }, {})).toBe(0);
  expect(numberOf({ kind: 'user', id, teamId }, {})).toBe(0);
});

it('what is left shrinks with the role, and never grows beyond what was given', () => {
  expect(numberOf({ kind: 'api_key', id }, { access: 'full_access' })).toBe(permissions.length);
  const ofTool = { access: 'full_access', isOfTool: true, role: 'viewer' } as const;
  const viewer = presentPermissions({ kind: 'user', id, teamId }, { ...gone, role: 'viewer' });
  expect(presentPermissions({ kind: 'api_key', id }, ofTool)).toEqual(viewer);
  const tool: Authority = { kind: 'tool', id, permissions: ['emails:send', 'emails:read'] };
  expect([...presentPermissions(tool, { ...gone, role: 'viewer' })]).toEqual(['emails:read']);
  expect([...presentPermissions(tool, { ...gone, role: 'owner' })]).toEqual(['emails:send', 'emails:read']);
});
