import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest, ValidationError } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathId,
  PathParameter,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesList,
  Takes,
} from '#http/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, UseGuards } from '@nestjs/common';
import { InboxThreads } from '../../application/inbox-threads.use-case.js';
import { shownThread } from '../../domain/inbox-events.js';
import { threadFolders } from '../../domain/thread.js';
import type { ThreadLabel } from '../../domain/thread.js';
import { isMail } from './keyed-request.js';
import { inboxAddress, labelId, threadId } from './example-ids.js';
import {
  AddThreadLabelsRequest,
  decodeAddedLabels,
  decodeThreadSearch,
  decodeReplacedLabels,
  decodeThreadChanges,
  decodeThreadFilter,
  ReplaceThreadLabelsRequest,
  UpdateThreadRequest,
} from './thread.request.js';
import {
  foundThread,
  FoundThreadResponse,
  RemovedThreadResponse,
  threadResponse,
  ThreadLabelsResponse,
  ThreadResponse,
  ThreadSummaryResponse,
} from './thread.response.js';

type ThreadQuery = Readonly<Record<string, unknown>>;

const badCursor = new ValidationError('The cursor must be the id of an item of the list.');
const unknownThread = (): NotFoundError[] => [new NotFoundError('Inbox'), new NotFoundError('Thread')];

const badFilters = [
  () => decodeThreadFilter({ folders: 'outbox' }),
  () => decodeThreadFilter({ labels: 'invoices' }),
  () => decodeThreadFilter({ read: 'maybe' }),
];

/** The threads of an inbox (docs/wire-contract.md section 27). */
@Controller('inboxes/:inbox/threads')
@Describes('Inboxes')
@PathParameter('inbox', 'Id or address of the inbox.', {}, inboxAddress)
@PathId('thread', 'Id of the thread.', threadId)
@UseGuards(PrincipalGuard)
export class InboxThreadsController {
  constructor(private readonly threads: InboxThreads) {}

  @Get()
  @Operation('listInboxThreads', 'List threads', 'The threads of an inbox, newest activity first, in pages.')
  @QueryParameter(
    'folders',
    `Folders, separated by commas: ${threadFolders.join(', ')}. Default: \`inbox\`, and with \`labels\` also \`archive\` and \`sent\`.`,
    {},
    'inbox,archive',
  )
  @QueryParameter('labels', 'Only threads with one of these labels: ids, separated by commas.', {}, labelId)
  @QueryParameter('read', 'Only threads that are read, or only others.', { type: 'boolean' }, false)
  @ResponsesList(ThreadSummaryResponse, 'A page of threads.')
  @Refuses(() => [new NotFoundError('Inbox'), badCursor, ...badFilters])
  @Requires('emails:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('inbox') inbox: string,
    @Query() query: ThreadQuery,
  ): Promise<ListResponse<ThreadSummaryResponse>> {
    const filter = decodeThreadFilter(query);
    return listResponse(await this.threads.list(teamId, inbox, filter, parsePageRequest(query)), shownThread);
  }

  @Get('search')
  @Operation(
    'searchInboxThreads',
    'Search threads',
    'Threads with an email that has everything that is asked for, newest activity first, in pages. Addresses and names match in part.',
  )
  @QueryParameter(
    'query',
    'Words that stand in the subject, the text, the addresses or the names of files. `"several words"` stand together, `-word` does not occur.',
    {},
    '"my order" -refund',
  )
  @QueryParameter('from', 'Parts of an author, separated by commas.', {}, 'ada')
  @QueryParameter('to', 'Parts of a recipient, separated by commas.', {}, 'support')
  @QueryParameter('cc', 'Parts of a copy recipient, separated by commas.', {}, 'grace')
  @QueryParameter('bcc', 'Parts of a blind-copy recipient, separated by commas.', {}, 'archive')
  @QueryParameter('has_attachment', 'Only emails with attachments, or only others.', { type: 'boolean' }, true)
  @QueryParameter('start_date', 'Only emails since this day or time.', {}, '2026-11-01')
  @QueryParameter('end_date', 'Only emails up to this day, with it, or before this time.', {}, '2026-11-30')
  @QueryParameter(
    'folders',
    `Folders, separated by commas: ${threadFolders.join(', ')}. Default: \`inbox\`, and with \`labels\` also \`archive\` and \`sent\`.`,
    {},
    'inbox,archive',
  )
  @QueryParameter('labels', 'Only threads with one of these labels: ids, separated by commas.', {}, labelId)
  @QueryParameter('read', 'Only threads that are read, or only others.', { type: 'boolean' }, false)
  @ResponsesList(FoundThreadResponse, 'A page of threads.')
  @Refuses(() => [
    new NotFoundError('Inbox'),
    badCursor,
    ...badFilters,
    () => decodeThreadSearch({ has_attachment: 'maybe' }),
    () => decodeThreadSearch({ start_date: 'yesterday' }),
  ])
  @Requires('emails:read')
  async search(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('inbox') inbox: string,
    @Query() query: ThreadQuery,
  ): Promise<ListResponse<FoundThreadResponse>> {
    const [filter, search] = [decodeThreadFilter(query), decodeThreadSearch(query)];
    const page = await this.threads.search(teamId, inbox, filter, search, parsePageRequest(query));
    return listResponse(page, foundThread);
  }

  @Get(':thread')
  @Operation('getInboxThread', 'Get a thread', 'What describes one thread. Its emails have a list of their own.')
  @Responses(ThreadResponse, 'The thread.')
  @Refuses(unknownThread)
  @Requires('emails:read')
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
  ): Promise<ThreadResponse> {
    return threadResponse(await this.threads.find(teamId, inbox, idFromPath('thread', thread)));
  }

  @Patch(':thread')
  @Operation('updateInboxThread', 'Change a thread', 'Marks its emails as read or unread, and moves it to a folder.')
  @Takes(UpdateThreadRequest, 'The changes.')
  @Responses(ThreadResponse, 'The thread.')
  @Refuses(() => [...unknownThread(), () => decodeThreadChanges({}), () => decodeThreadChanges({ folder: 'sent' })])
  @Requires('emails:write')
  @Audited(isMail)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
    @Body() body: unknown,
  ): Promise<ThreadResponse> {
    const id = idFromPath('thread', thread);
    return threadResponse(await this.threads.change(principal, inbox, id, decodeThreadChanges(body)));
  }

  @Delete(':thread')
  @Operation('removeInboxThread', 'Remove a thread', 'Moves a thread to the trash. It is deleted after 30 days.')
  @Responses(RemovedThreadResponse, 'The thread is in the trash.')
  @Refuses(unknownThread)
  @Requires('emails:write')
  @Audited(isMail)
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
  ): Promise<RemovedThreadResponse> {
    const id = idFromPath('thread', thread);
    await this.threads.change(principal, inbox, id, { folder: 'trash' });
    return { object: 'inbox_thread', id, deleted: true };
  }

  @Post(':thread/labels')
  @Operation('addInboxThreadLabels', 'Add labels to a thread', 'Labels that it has already stay.')
  @Takes(AddThreadLabelsRequest, 'The labels.')
  @Responses(ThreadLabelsResponse, 'The labels of the thread.')
  @Refuses(() => [...unknownThread(), new NotFoundError('Label'), () => decodeAddedLabels({ labels: [] })])
  @Requires('emails:write')
  @Audited(isMail)
  @HttpCode(200)
  async addLabels(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
    @Body() body: unknown,
  ): Promise<ThreadLabelsResponse> {
    const id = idFromPath('thread', thread);
    return labelsResponse(await this.threads.label(principal, inbox, id, 'add', decodeAddedLabels(body)));
  }

  @Put(':thread/labels')
  @Operation('replaceInboxThreadLabels', 'Replace the labels of a thread', 'An empty list removes all labels.')
  @Takes(ReplaceThreadLabelsRequest, 'The labels.')
  @Responses(ThreadLabelsResponse, 'The labels of the thread.')
  @Refuses(() => [...unknownThread(), new NotFoundError('Label'), () => decodeReplacedLabels({ labels: ['x'] })])
  @Requires('emails:write')
  @Audited(isMail)
  async replaceLabels(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
    @Body() body: unknown,
  ): Promise<ThreadLabelsResponse> {
    const id = idFromPath('thread', thread);
    return labelsResponse(await this.threads.label(principal, inbox, id, 'replace', decodeReplacedLabels(body)));
  }

  @Delete(':thread/labels/:label')
  @Operation('removeInboxThreadLabel', 'Remove a label from a thread', 'The label itself stays.')
  @PathId('label', 'Id of the label.', labelId)
  @Responses(ThreadLabelsResponse, 'The labels of the thread.')
  @Refuses(() => [...unknownThread(), new NotFoundError('Label')])
  @Requires('emails:write')
  @Audited(isMail)
  async removeLabel(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
    @Param('label') label: string,
  ): Promise<ThreadLabelsResponse> {
    const [id, removed] = [idFromPath('thread', thread), idFromPath('label', label)];
    return labelsResponse(await this.threads.label(principal, inbox, id, 'remove', [removed]));
  }
}

function labelsResponse(labels: readonly ThreadLabel[]): ThreadLabelsResponse {
  return { object: 'list', data: [...labels] };
}
