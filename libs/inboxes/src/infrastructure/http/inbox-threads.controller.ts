import { Audited, CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest, ValidationError } from '#kernel';
import { listResponse, toResponse } from '#http/server';
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
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
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

const badFilters = [
  () => decodeThreadFilter({ folders: 'outbox' }),
  () => decodeThreadFilter({ labels: 'invoices' }),
  () => decodeThreadFilter({ read: 'maybe' }),
];

const InFolders = QueryParameter(
  'folders',
  `Folders, separated by commas: ${threadFolders.join(', ')}. Default: \`inbox\`, and with \`labels\` or \`assignee_email\` also \`archive\` and \`sent\`.`,
  {},
  'inbox,archive',
);
const WithLabels = QueryParameter(
  'labels',
  'Only threads with one of these labels: ids, separated by commas.',
  {},
  labelId,
);
const OfMember = QueryParameter(
  'assignee_email',
  'Only threads that this member of your team looks after.',
  {},
  'grace@acme.example',
);
const ReadOrNot = QueryParameter('read', 'Only threads that are read, or only others.', { type: 'boolean' }, false);

/** The threads of an inbox (docs/wire-contract.md section 27). */
@Controller('inboxes/:inbox/threads')
@Describes('Inboxes')
@PathParameter('inbox', 'Id or address of the inbox.', {}, inboxAddress, 'Inbox')
@PathId('thread', 'Id of the thread.', threadId, 'Thread')
@PermissionsOf('emails')
export class InboxThreadsController {
  constructor(private readonly threads: InboxThreads) {}

  @Get()
  @Operation('List threads', 'The threads of an inbox, newest activity first, in pages.')
  @InFolders
  @WithLabels
  @OfMember
  @ReadOrNot
  @ResponsesList(ThreadSummaryResponse, 'A page of threads.')
  @Refuses(() => [badCursor, ...badFilters])
  async listInboxThreads(@TeamId() teamId: string, @Param('inbox') inbox: string, @Query() query: ThreadQuery) {
    const filter = decodeThreadFilter(query);
    return listResponse(await this.threads.list(teamId, inbox, filter, parsePageRequest(query)), shownThread);
  }

  @Get('search')
  @Operation(
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
  @InFolders
  @WithLabels
  @OfMember
  @ReadOrNot
  @ResponsesList(FoundThreadResponse, 'A page of threads.')
  @Refuses(() => [
    badCursor,
    ...badFilters,
    () => decodeThreadSearch({ has_attachment: 'maybe' }),
    () => decodeThreadSearch({ start_date: 'yesterday' }),
  ])
  async searchInboxThreads(@TeamId() teamId: string, @Param('inbox') inbox: string, @Query() query: ThreadQuery) {
    const [filter, search] = [decodeThreadFilter(query), decodeThreadSearch(query)];
    const page = await this.threads.search(teamId, inbox, filter, search, parsePageRequest(query));
    return listResponse(page, foundThread);
  }

  @Get(':thread')
  @Operation('Get a thread', 'What describes one thread. Its emails have a list of their own.')
  @Responses(ThreadResponse, 'The thread.')
  async getInboxThread(@TeamId() teamId: string, @Param('inbox') inbox: string, @Param('thread') thread: string) {
    return threadResponse(await this.threads.find(teamId, inbox, thread));
  }

  @Patch(':thread')
  @Operation(
    'Change a thread',
    'Marks its emails as read or unread, moves it to a folder, and says which member of your team looks after it.',
  )
  @Takes(UpdateThreadRequest, 'The changes.')
  @Responses(ThreadResponse, 'The thread.')
  @Refuses(() => [() => decodeThreadChanges({}), () => decodeThreadChanges({ folder: 'sent' })])
  @Audited(isMail)
  async updateInboxThread(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') id: string,
    @Body() body: unknown,
  ) {
    return threadResponse(await this.threads.change(principal, inbox, id, decodeThreadChanges(body)));
  }

  @Delete(':thread')
  @Operation('Remove a thread', 'Moves a thread to the trash. It is deleted after 30 days.')
  @Responses(RemovedThreadResponse, 'The thread is in the trash.')
  @Audited(isMail)
  async removeInboxThread(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') id: string,
  ) {
    await this.threads.change(principal, inbox, id, { folder: 'trash' });
    return toResponse(RemovedThreadResponse, { id });
  }

  @Post(':thread/labels')
  @Operation('Add labels to a thread', 'Labels that it has already stay.')
  @Takes(AddThreadLabelsRequest, 'The labels.')
  @Responses(ThreadLabelsResponse, 'The labels of the thread.')
  @Refuses(() => [new NotFoundError('Label'), () => decodeAddedLabels({ labels: [] })])
  @Audited(isMail)
  async addInboxThreadLabels(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') id: string,
    @Body() body: unknown,
  ) {
    return labelsResponse(await this.threads.label(principal, inbox, id, 'add', decodeAddedLabels(body)));
  }

  @Put(':thread/labels')
  @Operation('Replace the labels of a thread', 'An empty list removes all labels.')
  @Takes(ReplaceThreadLabelsRequest, 'The labels.')
  @Responses(ThreadLabelsResponse, 'The labels of the thread.')
  @Refuses(() => [new NotFoundError('Label'), () => decodeReplacedLabels({ labels: ['x'] })])
  @Audited(isMail)
  async replaceInboxThreadLabels(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') id: string,
    @Body() body: unknown,
  ) {
    return labelsResponse(await this.threads.label(principal, inbox, id, 'replace', decodeReplacedLabels(body)));
  }

  @Delete(':thread/labels/:label')
  @Operation('Remove a label from a thread', 'The label itself stays.')
  @PathId('label', 'Id of the label.', labelId, 'Label')
  @Responses(ThreadLabelsResponse, 'The labels of the thread.')
  @Audited(isMail)
  async removeInboxThreadLabel(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('thread') thread: string,
    @Param('label') label: string,
  ) {
    return labelsResponse(await this.threads.label(principal, inbox, thread, 'remove', [label]));
  }
}

function labelsResponse(labels: readonly ThreadLabel[]): ThreadLabelsResponse {
  return { object: 'list', data: [...labels] };
}
