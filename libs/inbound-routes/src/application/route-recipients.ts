import { RecipientRouting } from '#inbound';
import type { RecipientDecision, RecipientQuestion } from '#inbound';
import { Injectable } from '@nestjs/common';
import { forecast } from '../domain/evaluate.js';
import { RouteRepository } from './ports/route-repository.port.js';

/** Decides on recipients by the routes of their team. */
@Injectable()
export class RouteRecipients extends RecipientRouting {
  constructor(private readonly routes: RouteRepository) {
    super();
  }

  async decide({ teamId, recipient }: RecipientQuestion): Promise<RecipientDecision> {
    const { rejection, isDropped, announces, acts } = forecast(await this.routes.inOrder(teamId), recipient);
    if (rejection !== undefined) return { kind: 'reject', text: rejection };
    if (isDropped) return { kind: 'discard' };
    // Where something is to be done later, the event is written then, once.
    return { kind: 'accept', announce: announces && !acts, act: acts };
  }
}
