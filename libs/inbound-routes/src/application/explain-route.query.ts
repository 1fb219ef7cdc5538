import { refusalOfRecipient } from '#inbound';
import type { RecipientRefusal } from '#inbound';
import { InboxAddresses } from '#inboxes';
import { domainOf } from '#kernel';
import { ReceivingDomains, ReportedDomains } from '#domains';
import { Injectable } from '@nestjs/common';
import { evaluate, forecast, Forecast, RouteVerdict } from '../domain/evaluate.js';
import { HeaderValue } from '../domain/header-condition.js';
import { Route } from '../domain/route.js';
import { ForwardingDomains } from './forwarding-domains.js';
import { RoutedMessages } from './ports/routed-messages.port.js';
import { RouteRepository } from './ports/route-repository.port.js';

export interface Explanation {
  readonly address: string;
  readonly verdict: RouteVerdict;
  /** What is certain before the content arrives. */
  readonly atRcpt: Forecast;
  /** By id, the routes that the steps name. */
  readonly routes: ReadonlyMap<string, Route>;
  /** The address takes reports about a domain of the team; routes are not asked. */
  readonly isReportAddress: boolean;
  /** Whether the domain of the address is one of the team that receives. */
  readonly isOwn: boolean;
  /** Whether the address has an inbox, which takes its mail though routes refuse or drop it. */
  readonly isInbox: boolean;
  /** Why the server takes no mail for the address, whatever routes say. */
  readonly refusal: RecipientRefusal | undefined;
  /** Why mail for the address is not forwarded now, if a route says so; null if it is. */
  readonly forwardProblem: string | null;
}

/** Tells what would happen to a message for an address, and why. Does nothing. */
@Injectable()
export class ExplainRoute {
  constructor(
    private readonly routes: RouteRepository,
    private readonly messages: RoutedMessages,
    private readonly receiving: ReceivingDomains,
    private readonly reported: ReportedDomains,
    private readonly forwarding: ForwardingDomains,
    private readonly inboxes: InboxAddresses,
  ) {}

  async explain(teamId: string, address: string, header: readonly HeaderValue[]): Promise<Explanation> {
    const [routes, domain, report] = await Promise.all([
      this.routes.inOrder(teamId),
      this.receiving.find(domainOf(address).toLowerCase()),
      this.reported.ofAddress(address),
    ]);
    const isOwn = domain?.teamId === teamId;
    const conditions = routes.flatMap((route) => (route.enabled ? route.conditions : []));
    const verdict = evaluate(routes, address, await this.messages.holding(teamId, conditions, header));
    const forwards = isOwn && verdict.actions.some(({ action }) => action.type === 'forward');
    return {
      address,
      verdict,
      atRcpt: forecast(routes, address),
      routes: new Map(routes.map((route) => [route.id, route])),
      isReportAddress: report?.domain.teamId === teamId,
      isOwn,
      isInbox: isOwn && (await this.inboxes.has(teamId, address)),
      refusal: domain === undefined ? undefined : refusalOfRecipient(domain, address),
      forwardProblem: forwards ? await this.forwarding.problemOf(teamId, domain.name) : null,
    };
  }
}
