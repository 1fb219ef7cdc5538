import { contentErrors, quotaErrors } from '#emails';
import { Audited, CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, PathParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Headers, Param, Patch, Post, Query } from '@nestjs/common';
import { Drafts } from '../../application/drafts.use-case.js';
import { SendDraft } from '../../application/send-draft.use-case.js';
import { checkAnswerHeaders } from '../../domain/answer.js';
import { maxOpenDrafts } from '../../domain/draft.js';
import {
  DraftChangesError,
  DraftSentError,
  DraftsFullError,
  DraftTooLargeError,
  EmptyDraftError,
  FilesTooLargeError,
  HalfReplyError,
  NoDraftChangesError,
  SendingBusyError,
  TooManyDraftsError,
  TooManyFilesError,
} from '../../domain/draft-errors.js';
import { draftId, inboxAddress } from './example-ids.js';
import {
  CreateDraftRequest,
  decodeDraftChanges,
  decodeDraftHeaders,
  decodeNewDraft,
  SendDraftRequest,
  UpdateDraftRequest,
} from './draft.request.js';
import {
  DraftReferenceResponse,
  DraftResponse,
  draftResponse,
  DraftSummaryResponse,
  draftSummary,
  RemovedDraftResponse,
  SentFromInboxResponse,
} from './draft.response.js';
import { isMail, keyedRequest, keyErrors, RepeatableByKey } from './keyed-request.js';

const contentRefusals = () => [
  () => decodeNewDraft({ to: 'ada' }),
  () => decodeNewDraft({ attachments: [{ filename: 'empty.pdf' }] }),
  new DraftTooLargeError(),
  new TooManyFilesError(),
  new FilesTooLargeError(),
  new DraftsFullError(),
];

@Controller('inboxes/:inbox/drafts')
@Describes('Inboxes')
@PathParameter('inbox', 'Id of the inbox, or its address.', {}, inboxAddress, 'Inbox')
@PathId('draft', 'Id of the draft.', draftId, 'Draft')
@PermissionsOf('emails')
export class InboxDraftsController {
  constructor(
    private readonly drafts: Drafts,
    private readonly sendDraft: SendDraft,
  ) {}

  @Post()
  @Operation(
    'Create a draft',
    `Keeps an email that is being written. A team may have ${maxOpenDrafts} drafts that are not sent.`,
  )
  @RepeatableByKey()
  @Takes(CreateDraftRequest, 'The draft.')
  @Responses(DraftReferenceResponse, 'The draft.', { status: 201 })
  @Refuses(() => [
    new NotFoundError('Thread'),
    new NotFoundError('Email'),
    new EmptyDraftError(),
    new HalfReplyError(),
    new TooManyDraftsError(),
    ...contentRefusals(),
    ...keyErrors(),
  ])
  @Audited(isMail)
  async createInboxDraft(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ) {
    const draft = decodeNewDraft(body);
    return toResponse(DraftReferenceResponse, {
      id: await this.drafts.create(principal, inbox, draft, await keyedRequest(key, body)),
    });
  }

  @Get()
  @Operation('List drafts', 'The drafts of an inbox that are not sent, without their bodies, newest first, in pages.')
  @ResponsesList(DraftSummaryResponse, 'A page of drafts.')
  async listInboxDrafts(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Query() query: { readonly limit?: unknown },
  ) {
    return listResponse(await this.drafts.list(principal, inbox, parsePageRequest(query)), draftSummary);
  }

  @Get(':draft')
  @Operation('Get a draft', 'One draft with its bodies, also after it was sent.')
  @Responses(DraftResponse, 'The draft.')
  async getInboxDraft(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('draft') draft: string,
  ) {
    return draftResponse(await this.drafts.get(principal, inbox, draft));
  }

  @Patch(':draft')
  @Operation('Change a draft', 'Changes the given fields of a draft that is not sent.')
  @Takes(UpdateDraftRequest, 'The changes.')
  @Responses(DraftReferenceResponse, 'The draft.')
  @Refuses(() => [new NoDraftChangesError(), new DraftSentError(), ...contentRefusals()])
  @Audited(isMail)
  async updateInboxDraft(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('draft') id: string,
    @Body() body: unknown,
  ) {
    await this.drafts.change(principal, inbox, id, decodeDraftChanges(body));
    return toResponse(DraftReferenceResponse, { id });
  }

  @Delete(':draft')
  @Operation('Remove a draft', 'Removes a draft that is not sent, with its files.')
  @Responses(RemovedDraftResponse, 'The draft is removed.')
  @Refuses(() => [new DraftSentError()])
  @Audited(isMail)
  async removeInboxDraft(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('draft') id: string,
  ) {
    await this.drafts.remove(principal, inbox, id);
    return toResponse(RemovedDraftResponse, { id });
  }

  @Post(':draft/send')
  @Operation(
    'Send a draft',
    'Sends the draft from the address of the inbox, once: a draft that was sent before gives the id of the same email. ' +
      'A reply without recipients goes to those of a reply, and without a subject has that of a reply.',
  )
  @RepeatableByKey()
  @Takes(SendDraftRequest, 'Further headers.', { required: false })
  @Responses(SentFromInboxResponse, 'The email has been accepted.')
  @Refuses(() => [
    () => checkAnswerHeaders({ References: '' }),
    new SendingBusyError(),
    new DraftChangesError(),
    ...contentErrors(),
    ...quotaErrors(),
    ...keyErrors(),
  ])
  @Audited(isMail)
  async sendInboxDraft(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('draft') draft: string,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ) {
    const draftKey = { inbox, draftId: draft };
    const headers = decodeDraftHeaders(body);
    return this.sendDraft.send(principal, draftKey, headers, await keyedRequest(key, body));
  }
}
