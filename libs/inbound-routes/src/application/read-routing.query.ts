import { ReceivedEmails } from '#inbound';
import { found } from '#kernel';
import { Injectable } from '@nestjs/common';
import { RouteResult, RouteResults } from './ports/route-results.port.js';

/** Tells what the routes did for a received email. */
@Injectable()
export class ReadRouting {
  constructor(
    private readonly received: ReceivedEmails,
    private readonly results: RouteResults,
  ) {}

  /** Throws NotFoundError where the team has no such email. */
  async execute(teamId: string, receivedId: string): Promise<readonly RouteResult[]> {
    const { id } = found('Email', await this.received.find(teamId, receivedId));
    return this.results.of(id);
  }
}
