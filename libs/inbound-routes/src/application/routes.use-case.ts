import { Principal } from '#identity';
import { ReceivedEmails } from '#inbound';
import { Clock, DomainError, found, newId, NotFoundError, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkCombination } from '../domain/new-route.js';
import { maxRoutes, Route } from '../domain/route.js';
import { ForwardingDomains } from './forwarding-domains.js';
import { RouteChanges, RouteRepository } from './ports/route-repository.port.js';
import { RouteResult, RouteResults } from './ports/route-results.port.js';

export type NewRoute = Pick<Route, 'name' | 'recipient' | 'conditions' | 'action' | 'goesOn' | 'enabled'> & {
  /** Undefined: the last one. */
  readonly position?: number;
};

export class TooManyRoutesError extends DomainError {
  constructor() {
    super('invalid', 'validation_error', `A team may have at most ${maxRoutes} routes.`);
  }
}

/** The routes of a team: adds, reads, changes, orders and removes them, and tells what they did. */
@Injectable()
export class Routes {
  constructor(
    private readonly routes: RouteRepository,
    private readonly forwarding: ForwardingDomains,
    private readonly received: ReceivedEmails,
    private readonly results: RouteResults,
    private readonly clock: Clock,
  ) {}

  async add(principal: Principal, { position = maxRoutes + 1, ...fields }: NewRoute): Promise<Route> {
    principal.require('routes:write');
    checkCombination(fields.conditions, fields.action);
    if (fields.action.type === 'forward') await this.forwarding.check(principal.teamId, fields.recipient);
    const now = this.clock.now();
    const { teamId, actor } = principal;
    const route = { ...fields, id: newId(now.getTime()), teamId, position, actor, createdAt: now, updatedAt: now };
    const added = await this.routes.add(route, maxRoutes);
    if (added === undefined) throw new TooManyRoutesError();
    return added;
  }

  list(teamId: string, page: PageRequest): Promise<Page<Route>> {
    return this.routes.list(teamId, page);
  }

  async find(teamId: string, id: string): Promise<Route> {
    return found('Route', await this.routes.find(teamId, id));
  }

  async change(principal: Principal, id: string, changes: RouteChanges): Promise<Route> {
    principal.require('routes:write');
    const route = await this.find(principal.teamId, id);
    const { conditions, recipient, action } = { ...route, ...given(changes) };
    checkCombination(conditions, action);
    const isOther = changes.action !== undefined || changes.recipient !== undefined;
    if (action.type === 'forward' && isOther) await this.forwarding.check(principal.teamId, recipient);
    return found('Route', await this.routes.change(principal.teamId, id, changes, this.clock.now()));
  }

  async remove(principal: Principal, id: string): Promise<void> {
    principal.require('routes:write');
    if (!(await this.routes.remove(principal.teamId, id))) throw new NotFoundError('Route');
  }

  /** What the routes did for a received email. Throws NotFoundError if the team has no such email. */
  async resultsOf(teamId: string, receivedId: string): Promise<readonly RouteResult[]> {
    const { id } = found('Email', await this.received.find(teamId, receivedId));
    return this.results.of(id);
  }
}

/** The fields that a change has. */
function given<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
