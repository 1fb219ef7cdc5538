import {
  checkIdempotencyKey,
  ClaimResult,
  ConcurrentIdempotentRequestsError,
  fingerprintOf,
  IdempotencyClaim,
  IdempotencyKeys,
  IdempotentRequest,
  replay,
} from '#idempotency';
import { Principal } from '#identity';
import { Clock, DomainError, ItemResult, LastStatements, Transaction, UnitOfWork } from '#kernel';
import { Quotas } from '#rate-limit';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { AcceptedEmail, SpooledMime } from '../domain/accepted-email.js';
import { Batch, BatchFault, BatchItem, BatchResponse, checkBatch } from '../domain/batch.js';
import { SendRequest } from '../domain/draft.js';
import { RawSendRequest } from '../domain/raw-email.js';
import {
  Acceptance,
  AcceptanceGroups,
  AcceptanceRequest,
  countedMessages,
  withKeyLimit,
  WriteEmails,
  WrittenEmails,
} from './write-emails.js';
import { ComposeEmail } from './compose-email.js';
import { AttachmentFetches } from './linked-attachments.js';
import { MimeSpool } from './mime-spool.js';
import { AcceptanceObserver } from './ports/outbound-queue.port.js';
import { RoomForMail } from './ports/message-store.port.js';
import { RecipientScreening } from './recipient-screening.js';

/** Emails that are ready to be accepted together, and the response that names them. */
export interface Prepared<Response> {
  readonly emails: readonly AcceptedEmail[];
  readonly response: Response;
}

/** How long mail is expected to be followed by more. */
const demandMs = 1_000;

/**
 * Accepts emails: from the request of a client to the durable commit, after which the client is told. The ways in:
 *
 * - `send` (HTTP): one email of `POST /emails`. Mail of the service itself comes this way too.
 * - `sendBatch` (HTTP): the emails of `POST /emails/batch`, which are accepted together.
 * - `submit` (SMTP): a finished MIME message, whose bytes are stored and sent unchanged.
 * - `accept`: emails that another use case has prepared, such as `SendShared` and `ForwardMail`.
 * - `write`: the emails of a broadcast (`SendMailing`), slice by slice, in transactions that also write how far it came.
 *
 * Scheduled emails come in by `send`, `sendBatch` and `submit`. They are written without being queued, and their
 * recipients are screened when they are due (`ReleaseScheduled`).
 *
 * The steps, each of which may refuse:
 *
 * 1. Check that there is room for mail.
 * 2. Prepare the emails (`ComposeEmail`): expand the template, check the fields, the sender and the topic, fetch linked attachments.
 * 3. Check the quota, as far as this process knows it.
 * 4. Join a group of requests that share a transaction (`AcceptanceGroups`). The transaction
 *    a. screens the recipients,
 *    b. claims the idempotency keys,
 *    c. writes contents, emails, events, queue entries and counters (`WriteEmails`).
 * 5. Announce the emails: wake the workers that deliver them.
 */
@Injectable()
export class AcceptEmails implements OnApplicationShutdown {
  private readonly groups = new AcceptanceGroups((requests) => this.writeGroup(requests));
  private lastAskedAt = -Infinity;

  // oxlint-disable-next-line max-params -- the whole story, from the request to the commit
  constructor(
    private readonly compose: ComposeEmail,
    private readonly spool: MimeSpool,
    private readonly room: RoomForMail,
    private readonly quotas: Quotas,
    private readonly screening: RecipientScreening,
    private readonly keys: IdempotencyKeys,
    private readonly writing: WriteEmails,
    private readonly observer: AcceptanceObserver,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Whether mail was accepted in the last second, by this process. Broadcasts then leave it time. */
  get isInDemand(): boolean {
    return performance.now() - this.lastAskedAt < demandMs;
  }

  /** Sends one email. Resolves with its id once it is durable. */
  send(principal: Principal, request: SendRequest, idempotent?: IdempotentRequest): Promise<{ readonly id: string }> {
    return this.compose.fetching(principal.teamId, (fetches) =>
      this.accept(principal, idempotent, async () => {
        const email = await this.compose.compose(principal, request, fetches);
        return { emails: [email], response: { id: email.email.id } };
      }),
    );
  }

  /**
   * Sends several emails. A strict batch is refused because of its first fault. A permissive batch accepts the valid
   * emails and lists the faults.
   */
  sendBatch(principal: Principal, batch: Batch, idempotent?: IdempotentRequest): Promise<BatchResponse> {
    return this.compose.fetching(principal.teamId, (fetches) =>
      this.accept(principal, idempotent, () => this.composeBatch(principal, batch, fetches)),
    );
  }

  /**
   * Sends a finished MIME message to the recipients of its envelope, whatever addresses its header names. The content
   * is read only after all other checks have passed. Errors while it is read are thrown from here.
   */
  async submit(principal: Principal, request: RawSendRequest): Promise<{ readonly id: string }> {
    const idempotent = idempotentSubmission(principal.teamId, request);
    return this.acceptSpooled(principal, idempotent, () => this.compose.finished(principal, request));
  }

  /** Like `accept`, for one email whose content `prepare` has put into the spool. */
  async acceptSpooled(
    principal: Principal,
    idempotent: IdempotentRequest | undefined,
    prepare: () => Promise<AcceptedEmail>,
  ): Promise<{ readonly id: string }> {
    let spooled: SpooledMime | undefined;
    try {
      return await this.accept(principal, idempotent, async () => {
        const email = await prepare();
        spooled = email.mime;
        return { emails: [email], response: { id: email.email.id } };
      });
    } finally {
      if (spooled !== undefined) this.spool.release(spooled);
    }
  }

  /**
   * Resolves once the emails are durable. A repetition gets the response of the first request, even if it would be
   * refused now. A refusal changes nothing. `prepare` throws the refusals that are known before the transaction.
   */
  async accept<Response>(
    principal: Principal,
    idempotent: IdempotentRequest | undefined,
    prepare: () => Promise<Prepared<Response>>,
  ): Promise<Response> {
    const claimedAt = this.clock.now();
    let prepared: Prepared<Response>;
    try {
      // A notice of the service may be about the lack of room.
      if (principal.actor.kind !== 'service') this.room.check();
      prepared = await prepare();
    } catch (refusal) {
      return (await this.responseInsteadOf(refusal, idempotent, claimedAt)) as Response;
    }
    const { response } = prepared;
    const emails = withKeyLimit(principal, prepared.emails);
    const claim = idempotent === undefined ? undefined : { request: idempotent, response, claimedAt };
    const isLikelyRefused = this.checkQuota(emails, claim);
    const acceptance = await this.commit({ emails, claim, isLikelyRefused });
    return acceptance.kind === 'accepted' ? response : (acceptance.response as Response);
  }

  /**
   * Resolves when the emails and the claimed key are durably committed. Otherwise nothing of them is stored. Throws the
   * errors of an exceeded quota and of a key that is in use.
   */
  async commit(request: AcceptanceRequest): Promise<Acceptance> {
    const startedAt = performance.now();
    this.lastAskedAt = startedAt;
    const acceptance = await this.groups.submit(request);
    this.observer.completed(performance.now() - startedAt);
    if (acceptance.kind === 'accepted') this.observer.accepted(request.emails);
    return acceptance;
  }

  /** Stores contents for `write`, if the store cannot join its transaction. */
  storeAhead(emails: readonly AcceptedEmail[]): Promise<void> {
    return this.writing.storeAhead(emails);
  }

  /**
   * Writes screened emails with the last statements of the caller's transaction. They throw the errors of an exceeded
   * quota, and otherwise resolve with what is to be called after the commit.
   */
  async write(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<LastStatements<() => void>> {
    const { mayRefuse, send } = await this.writing.write(emails, transaction);
    const announce = (written: WrittenEmails) => (): void => {
      this.observer.accepted(emails);
      this.writing.announce(written);
    };
    return { mayRefuse, send: async () => announce(await send()) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.groups.drain();
  }

  private async composeBatch(
    principal: Principal,
    batch: Batch,
    fetches: AttachmentFetches,
  ): Promise<Prepared<BatchResponse>> {
    const items = await Promise.all(
      batch.items.map(async (item, index) => {
        const composed = await this.composeItem(principal, item, index, fetches);
        if ('fault' in composed && !batch.permissive) fetches.stop(composed.fault.error);
        return composed;
      }),
    );
    const emails = items.filter((item) => 'email' in item);
    const faults = items.filter((item) => 'fault' in item).map(({ fault }) => fault);
    return { emails, response: checkBatch(batch, emails, faults) };
  }

  private async composeItem(
    principal: Principal,
    item: BatchItem,
    index: number,
    fetches: AttachmentFetches,
  ): Promise<AcceptedEmail | { readonly fault: BatchFault }> {
    try {
      if (item instanceof DomainError) throw item;
      return await this.compose.compose(principal, item, fetches);
    } catch (error) {
      if (error instanceof DomainError) return { fault: { index, error } };
      throw error;
    }
  }

  /**
   * Throws the error of a quota that is used up, as far as this process knows; the transaction counts again and
   * decides. A repetition does not count, and only the transaction can tell it from a first request: returns whether a
   * request with a key is likely refused.
   */
  private checkQuota(emails: readonly AcceptedEmail[], claim: IdempotencyClaim | undefined): boolean {
    const messages = countedMessages(emails);
    if (!this.quotas.mayRefuse && messages.every(({ keyLimit }) => keyLimit === undefined)) return false;
    if (claim !== undefined) return messages.some((one) => this.quotas.isBeyond(one));
    for (const one of messages) this.quotas.refuseBeyond(one);
    return false;
  }

  /** Writes requests that share a transaction. One result per request, in order: an error concerns this request only. */
  private async writeGroup(requests: readonly AcceptanceRequest[]): Promise<readonly ItemResult<Acceptance>[]> {
    try {
      return await this.writeTogether(requests);
    } catch (error) {
      // After a failure the requests of a group are written again one by one.
      if (requests.length === 1 && this.writing.wereWrittenBefore(error)) return [{ value: { kind: 'accepted' } }];
      throw error;
    }
  }

  private async writeTogether(requests: readonly AcceptanceRequest[]): Promise<readonly ItemResult<Acceptance>[]> {
    const asked = requests.flatMap(({ emails }) => emails);
    await this.writing.storeAhead(asked);
    const { results, written } = await this.work.runPipelined(async (transaction) => {
      const [screened, results] = await Promise.all([
        this.screening.screen(asked, transaction),
        this.claimKeys(requests, transaction),
      ]);
      const last = await this.writing.write(emailsOfAccepted(requests, results, screened), transaction);
      return { mayRefuse: last.mayRefuse, send: async () => ({ results, written: await last.send() }) };
    });
    this.writing.announce(written, requests.length);
    return results;
  }

  /** Finds out which requests are the first with their key. Reads the database only if a request has a key. */
  private async claimKeys(
    requests: readonly AcceptanceRequest[],
    transaction: Transaction,
  ): Promise<readonly ItemResult<Acceptance>[]> {
    const claims = requests.flatMap(({ claim }) => claim ?? []);
    if (claims.length === 0) return requests.map(() => accepted);
    const results = [...(await this.keys.claim(claims, transaction))];
    return requests.map(({ claim }) =>
      claim === undefined ? accepted : resultOf(claim, results.shift() as ClaimResult),
    );
  }

  /**
   * Returns the first response if the refused request is a repetition. What was accepted then may be refused now, for
   * example because its scheduled time has passed. Throws the refusal if the request is no repetition.
   */
  private async responseInsteadOf(
    refusal: unknown,
    request: IdempotentRequest | undefined,
    now: Date,
  ): Promise<unknown> {
    if (request === undefined || !(refusal instanceof DomainError)) throw refusal;
    const known = await this.keys.find(request, now);
    if (known === undefined) throw refusal;
    return replay(request, known);
  }
}

const accepted: ItemResult<Acceptance> = { value: { kind: 'accepted' } };

function resultOf(claim: IdempotencyClaim, result: ClaimResult): ItemResult<Acceptance> {
  switch (result.kind) {
    case 'claimed':
      return accepted;
    case 'in progress':
      return { error: new ConcurrentIdempotentRequestsError() };
    case 'known':
      try {
        return { value: { kind: 'repeated', response: replay(claim.request, result) } };
      } catch (error) {
        return { error };
      }
  }
}

/** @param screened the emails of all requests, in order */
function emailsOfAccepted(
  requests: readonly AcceptanceRequest[],
  results: readonly ItemResult<Acceptance>[],
  screened: readonly AcceptedEmail[],
): readonly AcceptedEmail[] {
  if (results.every((result) => result === accepted)) return screened;
  let start = 0;
  return requests.flatMap(({ emails }, index) => {
    const own = screened.slice(start, (start += emails.length));
    return results[index] === accepted ? own : [];
  });
}

/**
 * A client that repeats a message writes a new Date, Message-ID and boundaries into it. So two messages count as the
 * same if their envelope, addresses, subject and tags are equal.
 */
function idempotentSubmission(teamId: string, request: RawSendRequest): IdempotentRequest | undefined {
  const key = checkIdempotencyKey(request.idempotencyKey);
  if (key === undefined) return undefined;
  const { from, to, cc, replyTo, subject, tags } = request;
  const recipients = request.recipients.map((address) => address.toLowerCase()).sort();
  const fingerprint = fingerprintOf({ recipients, from, to, cc, replyTo, subject, tags });
  return { teamId, endpoint: 'SMTP', key, fingerprint };
}
