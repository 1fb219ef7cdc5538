import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { clientKey, clientNetwork, DomainError } from '#kernel';
import { ParserThreads, ParsingBusyError } from '#platform/parsing';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { inContexts } from './async-contexts.js';
import { passwordKey } from './password-key.parser.js';

/** Leaves a core to the main thread. */
const maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1));

const options = {
  maxThreads,
  deadlineMs: 10_000,
  maxHeapMb: 64,
  maxWaitingPerOwner: 10,
  maxWaiting: 200,
  waitMs: 10_000,
  idleMs: 60_000,
};

export class TooManySignInsError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many people sign in at once. Please try again in a moment.');
  }
}

/**
 * Hashes passwords with scrypt, in the format of better-auth, on threads of its own: on those of libuv, a flood of
 * sign-ins would keep signatures, files and look-ups waiting. Client addresses and their networks (IPv4 /24, IPv6 /48)
 * have one hash at a time and take turns.
 */
@Injectable()
export class PasswordHashes implements OnApplicationShutdown {
  private readonly threads = new ParserThreads(options);
  private readonly owners = new AsyncLocalStorage<readonly string[]>();

  /** Charges the hashes of the work to a client. */
  chargedTo<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    return this.chargedToAll([`client ${clientKey(address)}`, clientNetwork(address)], work);
  }

  /** Charges the hashes of the work to a user: of somebody who is signed in, or has the link of an invitation. */
  chargedToUser<Result>(user: string, work: () => Promise<Result>): Promise<Result> {
    return this.chargedToAll([`user ${user}`], work);
  }

  /** Throws TooManySignInsError. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${(await this.keyOf(password, salt)).toString('hex')}`;
  }

  /** Throws TooManySignInsError. */
  async verify(hash: string, password: string): Promise<boolean> {
    const [salt, key] = hash.split(':');
    if (salt === undefined || key === undefined) throw new Error('A stored hash of a password has an unknown format');
    const expected = Buffer.from(key, 'hex');
    const given = await this.keyOf(password, salt);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  onApplicationShutdown(): void {
    this.threads.stop();
  }

  private chargedToAll<Result>(owners: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return inContexts([this.owners], () => this.owners.run(owners, work));
  }

  private async keyOf(password: string, salt: string): Promise<Buffer> {
    const owner = this.owners.getStore() ?? ['service'];
    const bytes = Buffer.from(password.normalize('NFKC'));
    try {
      return Buffer.from(await this.threads.run(passwordKey, { owner, bytes, options: salt }));
    } catch (error) {
      throw error instanceof ParsingBusyError ? new TooManySignInsError() : error;
    }
  }
}
