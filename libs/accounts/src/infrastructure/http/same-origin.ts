import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CrossSiteRequestError } from '../../domain/accounts-errors.js';
import { OwnOrigin } from '../../application/ports/sign-in.port.js';

const reading = new Set(['GET', 'HEAD']);

/**
 * Refuses what the pages of other sites make a browser send with its cookies. Browsers say where a request comes from;
 * a header of our own cannot be sent by a form or an image at all, and from another site's script only after a
 * preflight, which this service never answers.
 */
@Injectable()
export class SameOrigin {
  constructor(private readonly own: OwnOrigin) {}

  /** Like `check`, for a form of one of our own pages: forms cannot send headers, but browsers say where they come from. */
  checkForm({ headers, host }: FastifyRequest): void {
    const { origin } = headers;
    if (origin === undefined || !this.own.isOwn(origin, host)) throw new CrossSiteRequestError();
    if ((headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') throw new CrossSiteRequestError();
  }

  /** Throws CrossSiteRequestError. `X-Requested-With` is needed for everything but reading. */
  check(request: FastifyRequest): void {
    const { headers, method } = request;
    const site = headers['sec-fetch-site'];
    const isReading = reading.has(method);
    if (site !== undefined && site !== 'same-origin') throw new CrossSiteRequestError();
    const { origin } = headers;
    if (origin !== undefined && !this.own.isOwn(origin, request.host)) throw new CrossSiteRequestError();
    if (isReading) return;
    if (origin === undefined && site === undefined) throw new CrossSiteRequestError();
    if (headers['x-requested-with'] === undefined) throw new CrossSiteRequestError();
  }
}
