import { Page, PageRequest } from '#kernel';
import { Route } from '../../domain/route.js';

/** Changes of a route; absent fields stay. */
export type RouteChanges = Partial<
  Pick<Route, 'name' | 'recipient' | 'conditions' | 'action' | 'goesOn' | 'enabled' | 'position'>
>;

/** The routes of all teams. Positions of a team are 1, 2, … without gaps, whatever is added, moved or removed at once. */
export abstract class RouteRepository {
  /**
   * Adds a route at its position, or last if the position is beyond the end; those behind it move on. Returns the route
   * as it is stored; undefined if the team has `max` routes.
   */
  abstract add(route: Route, max: number): Promise<Route | undefined>;

  abstract find(teamId: string, id: string): Promise<Route | undefined>;

  /** In order of the positions. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Route>>;

  /**
   * All routes of the team in order, at most `maxRoutes`. Called for every recipient of strangers' mail: answered from
   * a cache of a few seconds, which every change clears.
   */
  abstract inOrder(teamId: string): Promise<readonly Route[]>;

  /** The routes of the team with whose mail automations begin. From a cache of a few seconds, too. */
  abstract followed(teamId: string): Promise<ReadonlySet<string>>;

  /** The changed route; undefined if the team has no such route. */
  abstract change(teamId: string, id: string, changes: RouteChanges, now: Date): Promise<Route | undefined>;

  /** False if the team has no such route. */
  abstract remove(teamId: string, id: string): Promise<boolean>;
}
