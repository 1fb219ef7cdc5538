import { createHash, randomBytes } from 'node:crypto';
import { clientKey, Clock, DomainError } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AttemptCounters } from '../../application/attempt-counters.js';
import { OwnOrigin } from '../../application/ports/own-origin.port.js';
import { SessionCookies } from '../../application/session-cookies.js';
import type { AuthRoute } from './auth-routes.js';
import { cookieOf } from './session-cookie.js';

const minuteMs = 60_000;
const yearSeconds = 31_536_000;
const maxKeys = 50_000;
const devicePurpose = 'known device';

export class TooManyAttemptsError extends DomainError {
  constructor() {
    super('limited', 'too_many_attempts', 'Too many attempts. Wait a while, then try again.');
  }
}

export interface Attempt {
  /** Says what became of the attempt, and returns further cookies for the response. */
  end(response: Response): Promise<readonly string[]>;
}

/**
 * Limits guesses and mail by the address of the client and by the account.
 *
 * The limit of an account does not shut its owner out: a browser that has signed in before has a cookie that says so, and is
 * counted by itself. Strangers who guess use up only the share of strangers. Each process counts by itself.
 */
@Injectable()
export class AuthLimits {
  private readonly guessesOfAddress = new AttemptCounters({ max: 30, windowMs: 10 * minuteMs, maxKeys });
  private readonly guessesOfAccount = new AttemptCounters({ max: 10, windowMs: 10 * minuteMs, maxKeys });
  private readonly mailOfAddress = new AttemptCounters({ max: 20, windowMs: 60 * minuteMs, maxKeys });
  private readonly mailOfAccount = new AttemptCounters({ max: 5, windowMs: 60 * minuteMs, maxKeys });

  constructor(
    private readonly secrets: SecretBox,
    private readonly cookies: SessionCookies,
    private readonly origin: OwnOrigin,
    private readonly clock: Clock,
  ) {}

  /** Throws TooManyAttemptsError. */
  async begin(route: AuthRoute, request: FastifyRequest): Promise<Attempt> {
    const email = emailIn(request.body);
    const address = clientKey(request.ip);
    if (route.mails === true) {
      this.take(this.mailOfAddress, address);
      if (email !== undefined) this.take(this.mailOfAccount, email);
    }
    if (route.guesses !== true) return { end: async () => [] };
    const account = email === undefined ? undefined : this.accountKey(request, email);
    this.take(this.guessesOfAddress, address);
    if (account !== undefined) this.take(this.guessesOfAccount, account);
    return {
      end: async (response) => {
        if (response.status >= 400) return [];
        this.guessesOfAddress.giveBack(address);
        if (account !== undefined) this.guessesOfAccount.giveBack(account);
        return email !== undefined && route.path === '/sign-in/email' ? [this.deviceCookie(email)] : [];
      },
    };
  }

  /** For somebody who is signed in: counted by user. Throws TooManyAttemptsError. */
  beginConfirmation(request: FastifyRequest, userId: string): { succeeded(): void } {
    const address = clientKey(request.ip);
    this.take(this.guessesOfAddress, address);
    this.take(this.guessesOfAccount, `user ${userId}`);
    return {
      succeeded: () => {
        this.guessesOfAddress.giveBack(address);
        this.guessesOfAccount.giveBack(`user ${userId}`);
      },
    };
  }

  /** For somebody who has a token and no session. Throws TooManyAttemptsError. */
  beginGuess(request: FastifyRequest): { succeeded(): void } {
    const address = clientKey(request.ip);
    this.take(this.guessesOfAddress, address);
    return { succeeded: () => this.guessesOfAddress.giveBack(address) };
  }

  private take(counters: AttemptCounters, key: string): void {
    if (counters.take(key, this.clock.now().getTime()) !== undefined) throw new TooManyAttemptsError();
  }

  private accountKey(request: FastifyRequest, email: string): string {
    const [nonce = '', signature = ''] = (cookieOf(request, this.cookies.nameOf('device')) ?? '').split('.');
    const isKnown = this.secrets.verify(devicePurpose, `${nonce} ${hash(email)}`, signature);
    return isKnown ? `device ${nonce}` : `account ${hash(email)}`;
  }

  private deviceCookie(email: string): string {
    const nonce = randomBytes(12).toString('base64url');
    const value = `${nonce}.${this.secrets.sign(devicePurpose, `${nonce} ${hash(email)}`)}`;
    const secure = this.origin.value.startsWith('https:') ? '; Secure' : '';
    const name = this.cookies.nameOf('device');
    return `${name}=${value}; Max-Age=${yearSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  }
}

function hash(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}

const maxAddressLength = 320;

function emailIn(body: unknown): string | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const { email } = JSON.parse(body) as { email?: unknown };
    return typeof email === 'string' && email.length <= maxAddressLength ? email.trim().toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}
