import { Page, PageRequest, pageOf } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  RouteChanges,
  RouteRepository,
} from '../../../libs/inbound-routes/src/application/ports/route-repository.port.js';
import { Route } from '../../../libs/inbound-routes/src/domain/route.js';

/** The routes of one process, for tests. */
export class InMemoryRoutes extends RouteRepository {
  followedRoutes: ReadonlySet<string> = new Set();
  private readonly rows = new InMemoryRows<Route>();

  async add(route: Route, max: number): Promise<Route | undefined> {
    const others = await this.inOrder(route.teamId);
    if (others.length >= max) return undefined;
    const position = Math.min(route.position, others.length + 1);
    this.place([...others.slice(0, position - 1), route, ...others.slice(position - 1)]);
    return { ...route, position };
  }

  async find(teamId: string, id: string): Promise<Route | undefined> {
    return (await this.inOrder(teamId)).find((route) => route.id === id);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Route>> {
    const routes = await this.inOrder(teamId);
    const place = routes.findIndex(({ id }) => id === (page.after ?? page.before));
    if (page.before !== undefined)
      return pageOf(
        page,
        routes
          .slice(0, Math.max(place, 0))
          .reverse()
          .slice(0, page.limit + 1),
      );
    return pageOf(page, routes.slice(place + 1, place + 2 + page.limit));
  }

  async followed(): Promise<ReadonlySet<string>> {
    return this.followedRoutes;
  }

  async inOrder(teamId: string): Promise<readonly Route[]> {
    return this.rows.where((route) => route.teamId === teamId).sort((a, b) => a.position - b.position);
  }

  async change(teamId: string, id: string, changes: RouteChanges, now: Date): Promise<Route | undefined> {
    const route = await this.find(teamId, id);
    if (route === undefined) return undefined;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const others = (await this.inOrder(teamId)).filter((other) => other.id !== id);
    const position = Math.min(changes.position ?? route.position, others.length + 1);
    const changed = { ...route, ...given, position, updatedAt: now };
    this.place([...others.slice(0, position - 1), changed, ...others.slice(position - 1)]);
    return changed;
  }

  async remove(teamId: string, id: string): Promise<boolean> {
    if ((await this.find(teamId, id)) === undefined) return false;
    this.rows.delete(id);
    this.place(await this.inOrder(teamId));
    return true;
  }

  private place(routes: readonly Route[]): void {
    routes.forEach((route, index) => this.rows.set({ ...route, position: index + 1 }));
  }
}
