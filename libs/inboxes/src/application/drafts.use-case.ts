import { FetchAttachments, RoomForMail } from '#emails';
import type { RequestedAttachment } from '#emails';
import { Principal } from '#identity';
import { TeamEvents } from '#events';
import { Clock, found, newId, NotFoundError, Page, PageRequest, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import {
  DraftContent,
  DraftFile,
  DraftSummary,
  InboxDraft,
  InboxDraftAttachment,
  maxDraftBodyBytes,
  maxFileBytes,
} from '../domain/draft.js';
import {
  DraftSentError,
  DraftsFullError,
  DraftTooLargeError,
  FilesTooLargeError,
  TooManyDraftsError,
} from '../domain/draft-errors.js';
import { Inbox } from '../domain/inbox.js';
import { inboxEvent, InboxEventType } from '../domain/inbox-events.js';
import { foundInbox, sourceOf } from './found-inbox.js';
import { KeyedRequest, Once, PreparedWork } from './once.js';
import { DraftRepository } from './ports/draft-repository.port.js';
import { InboxRepository } from './ports/inbox-repository.port.js';
import { ThreadRepository } from './ports/thread-repository.port.js';

/** An attachment of a draft has a name. */
export type DraftUpload = RequestedAttachment & { readonly filename: string };

export interface NewDraft extends DraftContent {
  readonly attachments: readonly DraftUpload[];
  /** The email that it answers. */
  readonly reply: { readonly threadId: string; readonly emailId: string } | undefined;
}

export interface ChangedFiles {
  readonly uploads: readonly DraftUpload[];
  /** Of the files that stay. */
  readonly keptIds: readonly string[];
}

export type DraftChanges = Partial<DraftContent> & { readonly attachments?: ChangedFiles };

/** Emails that are being written. */
@Injectable()
export class Drafts {
  // oxlint-disable-next-line max-params -- what a draft stands on: its inbox, its thread, its files
  constructor(
    private readonly inboxes: InboxRepository,
    private readonly threads: ThreadRepository,
    private readonly drafts: DraftRepository,
    private readonly attachments: FetchAttachments,
    private readonly room: RoomForMail,
    private readonly events: TeamEvents,
    private readonly once: Once,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(principal: Principal, inboxKey: string, page: PageRequest): Promise<Page<DraftSummary>> {
    principal.require('emails:read');
    const inbox = await this.inboxOf(principal, inboxKey);
    return this.drafts.list(inbox.id, page);
  }

  async get(principal: Principal, inboxKey: string, id: string): Promise<InboxDraft> {
    principal.require('emails:read');
    const inbox = await this.inboxOf(principal, inboxKey);
    return found('Draft', await this.drafts.find(inbox.id, id));
  }

  /** Resolves with the id of the draft. */
  async create(
    principal: Principal,
    inboxKey: string,
    { attachments, reply, ...content }: NewDraft,
    keyed?: KeyedRequest,
  ): Promise<string> {
    principal.require('emails:write');
    const inbox = await this.inboxOf(principal, inboxKey);
    this.room.check();
    checkBody(content);
    const endpoint = `POST /inboxes/${inbox.id}/drafts`;
    return this.once.run({ teamId: principal.teamId, endpoint, keyed }, async (commit) => {
      if (reply !== undefined) await this.requireEmail(inbox.id, reply.threadId, reply.emailId);
      return this.attachments.during(principal.teamId, attachments, (fetched) => {
        const files = filesOf(attachments, fetched, this.clock.now());
        return commit(this.added(principal, inbox, { content, reply, files }));
      });
    });
  }

  async change(
    principal: Principal,
    inboxKey: string,
    id: string,
    { attachments, ...content }: DraftChanges,
  ): Promise<void> {
    principal.require('emails:write');
    const inbox = await this.inboxOf(principal, inboxKey);
    this.room.check();
    if (attachments === undefined) return this.write(principal, inbox, id, content, undefined);
    requireOpen(await this.drafts.find(inbox.id, id));
    const { uploads, keptIds } = attachments;
    await this.attachments.during(principal.teamId, uploads, (fetched) =>
      this.write(principal, inbox, id, content, { keptIds, added: filesOf(uploads, fetched, this.clock.now()) }),
    );
  }

  async remove(principal: Principal, inboxKey: string, id: string): Promise<void> {
    principal.require('emails:write');
    const inbox = await this.inboxOf(principal, inboxKey);
    await this.work.run(async (transaction) => {
      const draft = requireOpen(await this.drafts.lock(inbox.id, id, transaction));
      await this.drafts.remove(id, transaction);
      await this.events.append([this.event('inbox.draft.deleted', principal, inbox, draft)], transaction);
    });
  }

  private added(
    principal: Principal,
    inbox: Inbox,
    {
      content,
      reply,
      files,
    }: Pick<NewDraft, 'reply'> & {
      readonly content: DraftContent;
      readonly files: readonly DraftFile[];
    },
  ): PreparedWork<string> {
    const now = this.clock.now();
    const draft: InboxDraft = {
      ...content,
      id: newId(now.getTime()),
      inboxId: inbox.id,
      threadId: reply?.threadId ?? null,
      replyToEmailId: reply?.emailId ?? null,
      attachments: files.map(described),
      emailId: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    return {
      response: draft.id,
      write: async (transaction) => {
        const added = await this.drafts.add(principal.teamId, draft, files, transaction);
        if (added === 'no inbox') throw new NotFoundError('Inbox');
        if (added === 'full') throw new TooManyDraftsError();
        if (added === 'too many bytes') throw new DraftsFullError();
        const event = this.event('inbox.draft.created', principal, inbox, draft);
        return { send: () => this.events.append([event], transaction).then(() => () => undefined) };
      },
    };
  }

  private async write(
    principal: Principal,
    inbox: Inbox,
    id: string,
    changes: Partial<DraftContent>,
    files: { readonly keptIds: readonly string[]; readonly added: readonly DraftFile[] } | undefined,
  ): Promise<void> {
    await this.work.run(async (transaction) => {
      if (files !== undefined) await this.drafts.lockAttachments(principal.teamId, transaction);
      const before = requireOpen(await this.drafts.lock(inbox.id, id, transaction));
      const attachments =
        files === undefined
          ? before.attachments
          : [...keptOf(before.attachments, files.keptIds), ...files.added.map(described)];
      checkSize(attachments);
      const draft: InboxDraft = {
        ...before,
        ...changes,
        attachments,
        version: before.version + 1,
        updatedAt: this.clock.now(),
      };
      checkBody(draft);
      const fits = await this.drafts.change(principal.teamId, draft, files?.added, transaction);
      if (!fits) throw new DraftsFullError();
      await this.events.append([this.event('inbox.draft.updated', principal, inbox, draft)], transaction);
    });
  }

  private async requireEmail(inboxId: string, threadId: string, emailId: string): Promise<void> {
    found('Thread', await this.threads.find(inboxId, threadId));
    found('Email', await this.threads.email(inboxId, threadId, emailId));
  }

  private event(type: InboxEventType, principal: Principal, inbox: Inbox, draft: InboxDraft) {
    return inboxEvent(type, inbox, sourceOf(principal), { draft }, this.clock.now());
  }

  private inboxOf({ teamId }: Principal, inboxKey: string): Promise<Inbox> {
    return foundInbox(this.inboxes, teamId, inboxKey);
  }
}

function requireOpen(draft: InboxDraft | undefined): InboxDraft {
  const known = found('Draft', draft);
  if (known.emailId !== null) throw new DraftSentError();
  return known;
}

function checkBody({ html, text }: Pick<DraftContent, 'html' | 'text'>): void {
  const bytes = Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '');
  if (bytes > maxDraftBodyBytes) throw new DraftTooLargeError();
}

function filesOf(
  asked: readonly DraftUpload[],
  fetched: readonly { readonly content: Uint8Array; readonly contentType: string; readonly contentId?: string }[],
  now: Date,
): DraftFile[] {
  const files = fetched.map(({ content, contentType, contentId }, index) => ({
    id: newId(now.getTime()),
    filename: asked[index]?.filename ?? '',
    contentType,
    contentId: contentId ?? null,
    size: content.length,
    content,
  }));
  checkSize(files);
  return files;
}

function checkSize(files: readonly Pick<DraftFile, 'size'>[]): void {
  if (files.reduce((sum, { size }) => sum + size, 0) > maxFileBytes) throw new FilesTooLargeError();
}

function keptOf(files: readonly InboxDraftAttachment[], ids: readonly string[]): InboxDraftAttachment[] {
  const unknown = ids.find((id) => files.every((file) => file.id !== id));
  if (unknown !== undefined) throw new ValidationError(`The draft has no file with the id \`${unknown}\`.`);
  return files.filter(({ id }) => ids.includes(id));
}

function described({ id, filename, contentType, contentId, size }: DraftFile) {
  return { id, filename, contentType, contentId, size };
}
