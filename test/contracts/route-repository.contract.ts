import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { RouteRepository } from '../../libs/inbound-routes/src/application/ports/route-repository.port.js';
import { parsePattern } from '../../libs/inbound-routes/src/domain/address-pattern.js';
import { Route } from '../../libs/inbound-routes/src/domain/route.js';

/** What every store of routes must do. `team` makes a team. */
export function describeRouteRepository(
  name: string,
  rig: () => Promise<{ readonly routes: RouteRepository; readonly teamId: string; readonly otherTeamId: string }>,
): void {
  describe(`the routes in ${name}`, () => {
    let routes: RouteRepository;
    let teamId: string;
    let otherTeamId: string;

    beforeEach(async () => {
      ({ routes, teamId, otherTeamId } = await rig());
    });

    const aRoute = (label: string, fields: Partial<Route> = {}): Route => ({
      id: newId(),
      teamId,
      position: 999,
      name: label,
      recipient: parsePattern('support+*@acme.test'),
      conditions: [{ header: 'subject', test: 'contains', value: 'x', not: true }],
      action: { type: 'forward', to: ['ada@other.test'] },
      goesOn: false,
      enabled: true,
      actor: { kind: 'api_key', id: newId() },
      createdAt: new Date('2026-11-22T10:00:00Z'),
      updatedAt: new Date('2026-11-22T10:00:00Z'),
      ...fields,
    });
    const names = async (): Promise<string> => (await routes.inOrder(teamId)).map((route) => route.name).join('');
    const add = async (label: string, position = 999): Promise<string> => {
      const added = await routes.add(aRoute(label, { position }), 200);
      return added?.id ?? '';
    };

    it('keeps a route as it was given, for its team only', async () => {
      const given = aRoute('a');
      expect(await routes.add(given, 200)).toEqual({ ...given, position: 1 });
      expect(await routes.find(teamId, given.id)).toEqual({ ...given, position: 1 });
      expect(await routes.find(otherTeamId, given.id)).toBeUndefined();
      expect(await routes.change(otherTeamId, given.id, { name: 'b' }, new Date())).toBeUndefined();
      expect(await routes.remove(otherTeamId, given.id)).toBe(false);
      expect(await routes.inOrder(otherTeamId)).toEqual([]);
    });

    it('keeps the order without gaps, whatever is added, moved and removed', async () => {
      await add('b');
      await add('d');
      const a = await add('a', 1);
      await add('c', 3);
      expect(await names()).toBe('abcd');
      await routes.change(teamId, a, { position: 3 }, new Date());
      expect(await names()).toBe('bcad');
      await routes.change(teamId, a, { position: 99 }, new Date());
      expect(await names()).toBe('bcda');
      await routes.change(teamId, a, { position: 2 }, new Date());
      expect(await names()).toBe('bacd');
      expect(await routes.remove(teamId, a)).toBe(true);
      expect((await routes.inOrder(teamId)).map(({ name: label, position }) => `${label}${position}`)).toEqual([
        'b1',
        'c2',
        'd3',
      ]);
    });

    it('changes only what is given', async () => {
      const id = await add('a');
      const now = new Date('2026-11-23T10:00:00Z');
      const changed = await routes.change(teamId, id, { action: { type: 'drop' }, enabled: false }, now);
      expect(changed).toMatchObject({
        name: 'a',
        action: { type: 'drop' },
        enabled: false,
        goesOn: false,
        updatedAt: now,
      });
      expect(await routes.find(teamId, id)).toEqual(changed);
    });

    it('adds no more than the maximum', async () => {
      expect(await routes.add(aRoute('a'), 1)).toBeDefined();
      expect(await routes.add(aRoute('b'), 1)).toBeUndefined();
    });

    it('lists in order, in pages in both directions', async () => {
      const ids = [];
      for (const label of 'abcde') ids.push(await add(label));
      const page = async (request: { limit: number; after?: string; before?: string }) => {
        const { items, hasMore } = await routes.list(teamId, request);
        return items.map((route) => route.name).join('') + (hasMore ? '…' : '');
      };
      expect(await page({ limit: 2 })).toBe('ab…');
      expect(await page({ limit: 2, after: ids[1] })).toBe('cd…');
      expect(await page({ limit: 2, after: ids[3] })).toBe('e');
      expect(await page({ limit: 2, before: ids[3] })).toBe('bc…');
      expect(await page({ limit: 2, before: ids[0] })).toBe('');
    });
  });
}
