import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Attached } from '#kernel';
import { Sessions } from '../../application/ports/sign-in.port.js';
import { SessionCookies } from '../../application/session-cookies.js';
import { SessionEndedError } from '../../domain/accounts-errors.js';
import { SessionUser } from '../../domain/user.js';
import { SameOrigin } from './same-origin.js';

const users = new Attached<FastifyRequest, SessionUser>();

/** Finds the signed-in user of a request, once for each request. */
@Injectable()
export class RequestUsers {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookies: SessionCookies,
    private readonly sameOrigin: SameOrigin,
  ) {}

  hasSession(request: FastifyRequest): boolean {
    return cookieOf(request, this.cookies.session) !== undefined;
  }

  /**
   * The user of a page that a link of another site may open. It must change nothing. Returns undefined if nobody is
   * signed in.
   */
  async visitor(request: FastifyRequest): Promise<SessionUser | undefined> {
    const cookie = cookieOf(request, this.cookies.session);
    return cookie === undefined ? undefined : this.sessions.userOf(cookie);
  }

  /** Throws SessionEndedError or CrossSiteRequestError. */
  async identify(request: FastifyRequest): Promise<SessionUser> {
    const known = users.get(request);
    if (known !== undefined) return known;
    const cookie = cookieOf(request, this.cookies.session);
    if (cookie === undefined) throw new SessionEndedError();
    this.sameOrigin.check(request);
    const user = await this.sessions.userOf(cookie);
    if (user === undefined) throw new SessionEndedError();
    users.set(request, user);
    return user;
  }
}

/** The user of a request if it is known, even if the request was refused afterwards. */
export function userOf(request: FastifyRequest): SessionUser | undefined {
  return users.get(request);
}

/** The value of a cookie as the browser sent it. The last one counts: a cookie of a narrower path comes first. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const found = cookie.split(';').filter((part) => part.trimStart().startsWith(`${name}=`));
  const [only] = found;
  // Two cookies of this name: one of them was set by somebody else, for example by another host of the domain.
  return only === undefined || found.length > 1 ? undefined : only.trim().slice(name.length + 1);
}
