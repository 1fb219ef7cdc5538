import { domainOf } from '#kernel';
import { ReceivingDomains, ReportedDomains } from '#domains';
import { Injectable } from '@nestjs/common';
import { evaluate, forecast, Forecast, Verdict } from '../domain/evaluate.js';
import { HeaderValue } from '../domain/header-condition.js';
import { Route } from '../domain/route.js';
import { RouteRepository } from './ports/route-repository.port.js';

export interface Explanation {
  readonly address: string;
  readonly verdict: Verdict;
  /** What is certain before the content arrives. */
  readonly atRcpt: Forecast;
  /** By id, the routes that the steps name. */
  readonly routes: ReadonlyMap<string, Route>;
  /** The address takes reports about a domain of the team; routes are not asked. */
  readonly isReportAddress: boolean;
  /** Whether the domain of the address is one of the team that receives. */
  readonly isOwn: boolean;
}

/** Tells what would happen to a message for an address, and why. Does nothing. */
@Injectable()
export class ExplainRoute {
  constructor(
    private readonly routes: RouteRepository,
    private readonly receiving: ReceivingDomains,
    private readonly reported: ReportedDomains,
  ) {}

  async execute(teamId: string, address: string, header: readonly HeaderValue[]): Promise<Explanation> {
    const [routes, domain, report] = await Promise.all([
      this.routes.inOrder(teamId),
      this.receiving.find(domainOf(address).toLowerCase()),
      this.reported.ofAddress(address),
    ]);
    return {
      address,
      verdict: evaluate(routes, address, header),
      atRcpt: forecast(routes, address),
      routes: new Map(routes.map((route) => [route.id, route])),
      isReportAddress: report?.domain.teamId === teamId,
      isOwn: domain?.teamId === teamId,
    };
  }
}
