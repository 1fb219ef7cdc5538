import { BudgetShare, FairBudget, Slots } from '#kernel';
import type { MaybePromise } from '#kernel';
import { Injectable } from '@nestjs/common';
import { CompleteDraft, Draft, maxEmailBytes } from '../domain/draft.js';
import {
  DraftAttachment,
  encodedSize,
  isContentType,
  LinkedAttachment,
  RequestedAttachment,
} from '../domain/draft-attachment.js';
import { AttachmentsBusyError, EmailTooLargeError, InvalidAttachmentError } from '../domain/email-errors.js';
import { AttachmentSource, AttachmentUnavailableError, FetchedAttachment } from './ports/email-contents.port.js';

const mebibyte = 1024 * 1024;

/** Time for all links of one request together, in milliseconds. Clients give up after 30 seconds at the earliest. */
const maxRequestMs = 20_000;
const maxFetchMs = 15_000;
/** Links of one request that are fetched at the same time. */
const maxConcurrentFetches = 4;
/** Limit of the bytes that are fetched for one request. In base64 an email of the maximum size cannot contain more. */
const maxRequestBytes = (maxEmailBytes / 4) * 3;
/** Most requests fetch less than this, and many of them can run at the same time for one team. */
const smallRequestBytes = 2 * mebibyte;

/**
 * Fetches the attachments that a draft links by URL, before the email is accepted.
 *
 * Other services fetch after acceptance, and the email fails if the fetch does. Here the response reports the failure
 * at once, and an accepted email is complete: delivery, retries, lists and shared links use the same bytes, even for
 * mail that is scheduled for next month, when a signed URL would have expired.
 */
@Injectable()
export class LinkedAttachments {
  private readonly budget = new AttachmentBudget();

  constructor(private readonly source: AttachmentSource) {}

  /**
   * Runs `work` with the fetches of one request, for one email or a whole batch. The fetches hold their memory until
   * `work` has ended, when the emails are durable or refused.
   */
  async during<Result>(teamId: string, work: (fetches: AttachmentFetches) => Promise<Result>): Promise<Result> {
    const fetches = new AttachmentFetches(this.source, this.budget, teamId);
    try {
      return await work(fetches);
    } finally {
      fetches.end();
    }
  }

  complete(draft: Draft, fetches: AttachmentFetches): MaybePromise<CompleteDraft> {
    return draft.attachments.length === 0 ? { ...draft, attachments: [] } : this.withAttachments(draft, fetches);
  }

  private async withAttachments(draft: Draft, fetches: AttachmentFetches): Promise<CompleteDraft> {
    const attachments = await fetched(draft.attachments, fetches);
    const size = draft.size - encodedSize(draft.attachments) + encodedSize(attachments);
    if (size > maxEmailBytes) throw new EmailTooLargeError();
    return { ...draft, attachments, size };
  }
}

/** The attachments with their bytes. */
export function fetched(
  attachments: readonly RequestedAttachment[],
  fetches: AttachmentFetches,
): Promise<readonly DraftAttachment[]> {
  return Promise.all(
    attachments.map(async (attachment) => ('content' in attachment ? attachment : fetchOne(attachment, fetches))),
  );
}

async function fetchOne(link: LinkedAttachment, fetches: AttachmentFetches): Promise<DraftAttachment> {
  const { path, ...described } = link;
  try {
    const { content, contentType } = await fetches.fetch(path);
    return { ...described, content, contentType: link.contentType ?? usable(contentType) };
  } catch (error) {
    if (!(error instanceof AttachmentUnavailableError)) throw error;
    // The query is left out: it may contain a signature.
    throw new InvalidAttachmentError(`The attachment at ${path.split('?', 1)[0]} was not fetched: ${error.message}.`);
  }
}

function usable(contentType: string | undefined): string {
  const type = contentType?.split(';', 1)[0]?.trim();
  return type !== undefined && isContentType(type) ? type : 'application/octet-stream';
}

/**
 * Memory for attachments that are fetched. A request takes a small share before its first fetch. Once it needs more, it
 * takes a large share, which is enough for everything a request may fetch. A holder of a large share never waits for
 * another request.
 */
class AttachmentBudget {
  readonly small = new FairBudget({ total: 128 * mebibyte, maxPerOwner: 16 * mebibyte });
  readonly large = new FairBudget({ total: 4 * maxRequestBytes, maxPerOwner: maxRequestBytes });
}

/** The fetches of one request. They hold their memory until `end`. A request without links costs nothing. */
export class AttachmentFetches {
  private started: StartedFetches | undefined;
  private stopReason: Error | undefined;

  constructor(
    private readonly source: AttachmentSource,
    private readonly budget: AttachmentBudget,
    private readonly teamId: string,
  ) {}

  /** Returns the content of the URL. A URL that is named several times is fetched once. */
  async fetch(url: string): Promise<FetchedAttachment> {
    if (this.stopReason !== undefined) throw this.stopReason;
    this.started ??= new StartedFetches(this.source, this.budget, this.teamId);
    return this.started.fetch(url);
  }

  /** Aborts all fetches, because the request is refused with this reason. */
  stop(reason: Error): void {
    this.stopReason ??= reason;
    this.started?.stop(reason);
  }

  end(): void {
    this.started?.end();
  }
}

class StartedFetches {
  private readonly slots = new Slots(maxConcurrentFetches);
  private readonly byUrl = new Map<string, Promise<FetchedAttachment>>();
  private readonly stopped = new AbortController();
  /** Rejects once the request is stopped, so that no fetch keeps waiting for a turn. */
  private readonly whenStopped = new Promise<never>((_, reject) => {
    this.stopped.signal.addEventListener('abort', () => reject(this.stopped.signal.reason as Error), { once: true });
  });
  private readonly givesUpAt = performance.now() + maxRequestMs;
  private readonly timer = setTimeout(() => this.stop(new AttachmentsBusyError()), maxRequestMs);
  private bytes = 0;
  private small: Promise<BudgetShare> | undefined;
  private large: Promise<BudgetShare> | undefined;

  constructor(
    private readonly source: AttachmentSource,
    private readonly budget: AttachmentBudget,
    private readonly teamId: string,
  ) {
    this.whenStopped.catch(() => undefined);
  }

  fetch(url: string): Promise<FetchedAttachment> {
    const known = this.byUrl.get(url);
    if (known !== undefined) return known;
    const fetched = this.fetchInTurn(url);
    // Callers that await this promise get the error. There may be none left, so it is also handled here.
    fetched.catch(() => undefined);
    this.byUrl.set(url, fetched);
    return fetched;
  }

  stop(reason: Error): void {
    this.stopped.abort(reason);
  }

  end(): void {
    clearTimeout(this.timer);
    this.stop(new AttachmentsBusyError());
    for (const share of [this.small, this.large])
      share?.then(
        (granted) => granted.release(),
        () => undefined,
      );
  }

  private async fetchInTurn(url: string): Promise<FetchedAttachment> {
    await this.slots.take();
    try {
      this.stopped.signal.throwIfAborted();
      this.small ??= this.budget.small.take([this.teamId], smallRequestBytes, this.stopped.signal);
      await this.small;
      const fetched = this.source.fetch(this.teamId, url, {
        bytes: maxRequestBytes - this.bytes,
        timeoutMs: Math.max(1, Math.min(maxFetchMs, this.givesUpAt - performance.now())),
        signal: this.stopped.signal,
        makeRoom: (bytes) => this.makeRoom(bytes),
      });
      return await Promise.race([fetched, this.whenStopped]);
    } catch (error) {
      throw this.reasonFor(error);
    } finally {
      this.slots.release();
    }
  }

  /**
   * A fetch that was aborted because of another one fails with the reason of the other. A fetch that was too slow fails
   * with its own error.
   */
  private reasonFor(error: unknown): unknown {
    const { aborted } = this.stopped.signal;
    const reason: unknown = this.stopped.signal.reason;
    return aborted && !(reason instanceof AttachmentsBusyError && error instanceof AttachmentUnavailableError)
      ? reason
      : error;
  }

  private async makeRoom(bytes: number): Promise<void> {
    this.bytes += bytes;
    if (this.bytes > maxRequestBytes) {
      this.stop(new EmailTooLargeError());
      throw new EmailTooLargeError();
    }
    if (this.bytes <= smallRequestBytes) return;
    this.large ??= this.budget.large.take([this.teamId], maxRequestBytes, this.stopped.signal);
    await this.large;
  }
}
