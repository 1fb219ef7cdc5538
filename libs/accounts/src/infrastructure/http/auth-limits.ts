import { createHash, randomBytes } from 'node:crypto';
import { clientKey, clientNetwork, Clock, DomainError } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AttemptCounters } from '../../application/attempt-counters.js';
import {
  AttemptCounts,
  AttemptKind,
  CountedAttempt,
  secondsUntil,
} from '../../application/ports/attempt-counts.port.js';
import { OwnOrigin } from '../../application/ports/sign-in.port.js';
import { SessionCookies } from '../../application/session-cookies.js';
import type { AuthRoute } from './auth-routes.js';
import { cookieOf } from './request-users.js';

const minuteMs = 60_000;
const yearSeconds = 31_536_000;
const maxKeys = 50_000;
const devicePurpose = 'known device';

export class TooManyAttemptsError extends DomainError {
  constructor(retryAfterSeconds?: number) {
    super('limited', 'too_many_attempts', 'Too many attempts. Wait a while, then try again.', retryAfterSeconds);
  }
}

/** A guess that counts until it turned out to be right. */
export interface Guess {
  succeeded(): Promise<void>;
}

export interface Attempt {
  /** Says what became of the attempt, and returns further cookies for the response. */
  end(response: Response): Promise<readonly string[]>;
}

type SignInKind = Extract<AttemptKind, `guess-${string}` | `mail-${string}`>;
type Counted = CountedAttempt & { readonly kind: SignInKind };

/** Limits by kind, in ten minutes for guesses and an hour for mail. */
const limits: Readonly<Record<SignInKind, { readonly max: number; readonly ms: number }>> = {
  'guess-address': { max: 30, ms: 10 * minuteMs },
  'guess-network': { max: 90, ms: 10 * minuteMs },
  'guess-account': { max: 10, ms: 10 * minuteMs },
  'mail-address': { max: 20, ms: 60 * minuteMs },
  'mail-network': { max: 60, ms: 60 * minuteMs },
  'mail-account': { max: 5, ms: 60 * minuteMs },
};

/**
 * Limits guesses and mail by the address of the client and by the account.
 *
 * The limit of an account does not shut its owner out: a browser that has signed in before has a cookie that says so,
 * and is counted by itself. Strangers who guess use up only the share of strangers. All processes count together, in
 * the database; each process counts by itself before, so that a flood from one address costs no statements.
 */
@Injectable()
export class AuthLimits {
  private readonly own = new Map(
    Object.entries(limits).map(([kind, { max, ms }]) => [kind, new AttemptCounters({ max, windowMs: ms, maxKeys })]),
  );

  /** Each process counts by itself: a count in the database would be a row as well. */
  private readonly visits = {
    'visit-address': new AttemptCounters({ max: 300, windowMs: 10 * minuteMs, maxKeys }),
    'visit-network': new AttemptCounters({ max: 900, windowMs: 10 * minuteMs, maxKeys }),
  };

  constructor(
    private readonly counts: AttemptCounts,
    private readonly secrets: SecretBox,
    private readonly cookies: SessionCookies,
    private readonly origin: OwnOrigin,
    private readonly clock: Clock,
  ) {}

  /** `body`: what the library gets, and nothing else. Throws TooManyAttemptsError. */
  async begin(route: AuthRoute, request: FastifyRequest, body: string | undefined): Promise<Attempt> {
    const email = emailIn(route, body);
    if (route.storesVisit === true) {
      for (const { kind, key } of ofClient('visit', request)) this.takeOwn(this.visits[kind], key);
    }
    if (route.mails === true) {
      for (const attempt of ofClient('mail', request)) await this.take(attempt);
      if (email !== undefined) await this.take({ kind: 'mail-account', key: hash(email) });
    }
    if (route.guesses !== true) return { end: async () => [] };
    const taken: Counted[] = [...ofClient('guess', request)];
    if (email !== undefined) taken.push({ kind: 'guess-account', key: this.accountKey(request, email) });
    for (const attempt of taken) await this.take(attempt);
    return {
      end: async (response) => {
        if (response.status >= 400) return [];
        await this.giveBack(taken);
        return email !== undefined && route.path === '/sign-in/email' ? [this.deviceCookie(email)] : [];
      },
    };
  }

  /** For somebody who is signed in: counted by user. Throws TooManyAttemptsError. */
  async beginConfirmation(request: FastifyRequest, userId: string): Promise<Guess> {
    const address = await this.beginGuess(request);
    const account: Counted = { kind: 'guess-account', key: `user ${userId}` };
    await this.take(account);
    return {
      succeeded: async () => {
        await address.succeeded();
        await this.giveBack([account]);
      },
    };
  }

  /** For somebody who has a token and no session. Throws TooManyAttemptsError. */
  async beginGuess(request: FastifyRequest): Promise<Guess> {
    const client = ofClient('guess', request);
    for (const attempt of client) await this.take(attempt);
    return { succeeded: () => this.giveBack(client) };
  }

  private async take(attempt: Counted): Promise<void> {
    const now = this.clock.now();
    const { kind, key } = attempt;
    this.takeOwn(this.own.get(kind), key);
    const { count, endsAt } = await this.counts.add(attempt, limits[kind], now);
    if (count > limits[kind].max) throw new TooManyAttemptsError(secondsUntil(endsAt, now));
  }

  private takeOwn(counters: AttemptCounters | undefined, key: string): void {
    const waitSeconds = counters?.take(key, this.clock.now().getTime());
    if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds);
  }

  private async giveBack(attempts: readonly Counted[]): Promise<void> {
    for (const attempt of attempts) {
      this.own.get(attempt.kind)?.giveBack(attempt.key);
      await this.counts.giveBack(attempt);
    }
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

/** One person easily has a thousand networks (/64) of IPv6: the site (/48) is counted as well. */
function ofClient<Kind extends 'guess' | 'mail' | 'visit'>(
  kind: Kind,
  { ip }: FastifyRequest,
): readonly { readonly kind: `${Kind}-address` | `${Kind}-network`; readonly key: string }[] {
  const address = { kind: `${kind}-address`, key: hash(clientKey(ip)) } as const;
  const network = clientNetwork(ip);
  return network.includes(':') ? [address, { kind: `${kind}-network`, key: hash(network) }] : [address];
}

function hash(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}

const maxAddressLength = 320;

/** The account that a request is about. A change of the address sends mail to the new one. */
function emailIn({ path }: AuthRoute, body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  try {
    const fields = JSON.parse(body) as { email?: unknown; newEmail?: unknown };
    const email = path === '/change-email' ? fields.newEmail : fields.email;
    return typeof email === 'string' && email !== '' && email.length <= maxAddressLength
      ? email.trim().toLowerCase()
      : undefined;
  } catch {
    return undefined;
  }
}
