import { domainOf } from '#kernel';
import { ReceivingDomains, ReportedDomains } from '#domains';
import { Injectable } from '@nestjs/common';
import { evaluate, forecast, Forecast, Verdict } from '../domain/evaluate.js';
import { HeaderValue } from '../domain/header-condition.js';
import { Route } from '../domain/route.js';
import { ForwardingDomains } from './forwarding-domains.js';
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
  /** Why mail for the address is not forwarded now, where a route says so; null where it is. */
  readonly forwardProblem: string | null;
}

/** Tells what would happen to a message for an address, and why. Does nothing. */
@Injectable()
export class ExplainRoute {
  constructor(
    private readonly routes: RouteRepository,
    private readonly receiving: ReceivingDomains,
    private readonly reported: ReportedDomains,
    private readonly forwarding: ForwardingDomains,
  ) {}

  async execute(teamId: string, address: string, header: readonly HeaderValue[]): Promise<Explanation> {
    const [routes, domain, report] = await Promise.all([
      this.routes.inOrder(teamId),
      this.receiving.find(domainOf(address).toLowerCase()),
      this.reported.ofAddress(address),
    ]);
    const isOwn = domain?.teamId === teamId;
    const verdict = evaluate(routes, address, header);
    const forwards = isOwn && verdict.actions.some(({ action }) => action.type === 'forward');
    return {
      address,
      verdict,
      atRcpt: forecast(routes, address),
      routes: new Map(routes.map((route) => [route.id, route])),
      isReportAddress: report?.domain.teamId === teamId,
      isOwn,
      forwardProblem: forwards ? await this.forwarding.problemOf(teamId, domain.name) : null,
    };
  }
}
