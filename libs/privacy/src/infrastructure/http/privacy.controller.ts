import { Readable } from 'node:stream';
import { CurrentPrincipal, PrincipalGuard, Requires, TeamId } from '#identity';
import type { Principal } from '#identity';
import { Clock, parsePageRequest } from '#kernel';
import { listResponse, ReadBudget, streamedBytes, timestamp } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Get, Param, Post, Query, StreamableFile, UseGuards } from '@nestjs/common';
import { ExportedList, PersonalRecords } from '../../application/personal-records.use-case.js';
import { AddressRequest, decodeAddress } from './privacy.request.js';
import {
  erasureId,
  ErasureResponse,
  erasureSummary,
  ErasureSummaryResponse,
  PrivacyExportResponse,
} from './privacy.response.js';

/** What is charged for an export: it holds a portion of records at a time. */
const exportBytes = streamedBytes(Infinity);

@Controller('privacy')
@Describes('Privacy', 'Everything that is stored about one address: to hand it over, or to erase it.')
@PathId('id', 'Id of the erasure.', erasureId, 'Erasure')
@UseGuards(PrincipalGuard)
export class PrivacyController {
  constructor(
    private readonly records: PersonalRecords,
    private readonly budget: ReadBudget,
    private readonly clock: Clock,
  ) {}

  @Post('exports')
  @Operation(
    'Export what is stored about an address',
    'Sends one JSON file, list by list, while it is read. It may be large.',
  )
  @Takes(AddressRequest, 'The address.')
  @Responses(PrivacyExportResponse, 'The file.')
  @Refuses(() => [() => decodeAddress({ email: 'ada' })])
  @Requires('privacy:export')
  async exportPersonalData(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const address = decodeAddress(body);
    const lists = this.records.export(principal, address);
    const share = await this.budget.take(principal.teamId, exportBytes);
    const head = { object: 'privacy_export', email: address, created_at: timestamp(this.clock.now()) };
    const stream = Readable.from(jsonOf(head, lists), { objectMode: false, highWaterMark: 64 * 1024 });
    stream.once('close', () => share.release());
    return new StreamableFile(stream, {
      type: 'application/json; charset=utf-8',
      disposition: 'attachment; filename="personal-data.json"',
    });
  }

  @Post('erasures')
  @Operation(
    'Erase what is stored about an address',
    'Erases the contact, the address and the content in the emails to it, what events and delivery ' +
      'attempts tell of it, and API requests that name it. Counters stay, and an entry in the suppression ' +
      'list stays as a keyed hash. It begins within seconds and cannot be undone.',
  )
  @Takes(AddressRequest, 'The address.')
  @Responses(ErasureResponse, 'The erasure begins.', { status: 201 })
  @Refuses(() => [() => decodeAddress({ email: 'ada' })])
  @Requires('privacy:erase')
  async eraseAddress(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<ErasureResponse> {
    const erasure = await this.records.requestErasure(principal, decodeAddress(body));
    return { object: 'erasure', ...erasureSummary(erasure) };
  }

  @Get('erasures')
  @Operation('List erasures', 'The erasures of your team, newest first: who asked for them, and what was erased.')
  @ResponsesList(ErasureSummaryResponse, 'A page of erasures.')
  @Requires('privacy:export')
  async listErasures(
    @TeamId() teamId: string,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ) {
    return listResponse(await this.records.listErasures(teamId, parsePageRequest(query)), erasureSummary);
  }

  @Get('erasures/:id')
  @Operation('Get an erasure', 'One erasure.')
  @Responses(ErasureResponse, 'The erasure.', {
    example: {
      status: 'completed',
      counts: { contacts: 1, emails: 12, events: 3, logs: 9, suppressions: 0 },
      completed_at: '2026-11-30 20:41:15.1+00',
    },
  })
  @Requires('privacy:export')
  async getErasure(@TeamId() teamId: string, @Param('id') id: string): Promise<ErasureResponse> {
    return { object: 'erasure', ...erasureSummary(await this.records.findErasure(teamId, id)) };
  }
}

/** One JSON object, record by record, so that neither it nor a list is ever in memory. */
async function* jsonOf(head: object, lists: readonly ExportedList[]): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const { name, records } of lists) {
    yield `,${JSON.stringify(name)}:`;
    yield* listOf(records);
  }
  yield '}';
}

async function* listOf(records: AsyncIterable<object>): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const record of records) {
    yield separator;
    yield* recordOf(record);
    separator = ',';
  }
  yield ']';
}

/** A record, and behind its other values the lists in it that are read while they are written. */
async function* recordOf(record: object): AsyncGenerator<string> {
  const lists = Object.entries(record).filter((entry): entry is [string, AsyncIterable<object>] => isRead(entry[1]));
  if (lists.length === 0) return yield* [JSON.stringify(record)];
  const rest = Object.entries(record).filter(([, value]) => !isRead(value));
  let separator = rest.length === 0 ? '' : ',';
  yield JSON.stringify(Object.fromEntries(rest)).slice(0, -1);
  for (const [name, list] of lists) {
    yield `${separator}${JSON.stringify(name)}:`;
    yield* listOf(list);
    separator = ',';
  }
  yield '}';
}

function isRead(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
