import { PermissionsOf, TeamId } from '#identity';
import { MissingFieldError, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathParameter,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesList,
  Takes,
} from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { Suppressions } from '../../application/suppressions.use-case.js';
import { Suppression } from '../../domain/suppression.js';
import { suppressionEvents } from './suppression-events.js';
import {
  AddedSuppressionResponse,
  AddedSuppressionsResponse,
  RemovedSuppressionResponse,
  RemovedSuppressionsResponse,
  SuppressionResponse,
  SuppressionSummaryResponse,
} from './suppression.response.js';
import {
  AddSuppressionRequest,
  AddSuppressionsRequest,
  decodeAddition,
  decodeAdditions,
  decodeOrigin,
  decodeRemovals,
  maxItems,
  RemoveSuppressionsRequest,
} from './suppression.request.js';

@Controller('suppressions')
@Describes(
  'Suppressions',
  'Addresses to which your team sends nothing: addresses that bounced permanently, that complained, or ' +
    'that you added. An email to one of them is accepted and shows `email.suppressed` for that recipient.',
  suppressionEvents,
)
@PathParameter(
  'idOrEmail',
  'Id of the suppression, or its address in any case.',
  {},
  'ada@customer.example',
  'Suppression',
)
@PermissionsOf('suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: Suppressions) {}

  @Post()
  @Operation(
    'Suppress an address',
    'From now on nothing is sent to this address. An address that is already suppressed keeps its entry.',
  )
  @Takes(AddSuppressionRequest, 'The address.')
  @Responses(AddedSuppressionResponse, 'The address is suppressed.', { status: 201 })
  @Refuses(() => [() => decodeAddition({ email: 'ada' })])
  async addSuppression(@TeamId() teamId: string, @Body() body: unknown) {
    const [id = ''] = await this.addByHand(teamId, [decodeAddition(body)]);
    return toResponse(AddedSuppressionResponse, { id });
  }

  @Post('batch/add')
  @Operation(
    'Suppress several addresses',
    `From now on nothing is sent to these addresses, 1 to ${maxItems}. All of them are added, or none.`,
  )
  @Takes(AddSuppressionsRequest, 'The addresses.')
  @Responses(AddedSuppressionsResponse, 'The addresses are suppressed.', { status: 201 })
  @Refuses(() => [() => decodeAdditions({ emails: [] }), () => decodeAddition({ email: 'ada' })])
  async addSuppressionBatch(@TeamId() teamId: string, @Body() body: unknown): Promise<AddedSuppressionsResponse> {
    const ids = await this.addByHand(teamId, decodeAdditions(body));
    return { data: ids.map((id) => ({ object: 'suppression', id })) };
  }

  @Post('batch/remove')
  @Operation(
    'Remove several suppressions',
    `Removes 1 to ${maxItems} suppressions by address or by id. Unknown ones are skipped.`,
  )
  @Takes(RemoveSuppressionsRequest, 'The suppressions.')
  @Responses(RemovedSuppressionsResponse, 'The suppressions are removed.')
  @Refuses(() => [
    new MissingFieldError('emails'),
    () => decodeAdditions({ emails: [] }),
    () => decodeRemovals({ emails: ['a@b.example'], ids: ['x'] }),
    () => decodeRemovals({ ids: ['x'] }),
  ])
  async removeSuppressionBatch(@TeamId() teamId: string, @Body() body: unknown): Promise<RemovedSuppressionsResponse> {
    const ids = await this.suppressions.removeAll(teamId, decodeRemovals(body));
    return { data: ids.map((id) => ({ object: 'suppression', id, deleted: true })) };
  }

  @Get()
  @Operation('List suppressions', 'The suppressed addresses of your team, newest first, in pages.')
  @QueryParameter('origin', 'Only suppressions of this origin.', { enum: ['bounce', 'complaint', 'manual'] }, 'bounce')
  @ResponsesList(SuppressionSummaryResponse, 'A page of suppressions.')
  @Refuses(() => [() => decodeOrigin('fax')])
  async listSuppressions(
    @TeamId() teamId: string,
    @Query() query: { readonly origin?: unknown; readonly limit?: unknown },
  ) {
    const page = await this.suppressions.list(teamId, parsePageRequest(query), decodeOrigin(query.origin));
    return listResponse(page, summary);
  }

  @Get(':idOrEmail')
  @Operation('Get a suppression', 'One suppressed address.')
  @Responses(SuppressionResponse, 'The suppression.')
  async getSuppression(@TeamId() teamId: string, @Param('idOrEmail') idOrEmail: string) {
    return toResponse(SuppressionResponse, await this.suppressions.find(teamId, idOrEmail));
  }

  @Delete(':idOrEmail')
  @Operation('Remove a suppression', 'Emails to this address are sent again.')
  @Responses(RemovedSuppressionResponse, 'The suppression is removed.')
  async removeSuppression(@TeamId() teamId: string, @Param('idOrEmail') idOrEmail: string) {
    const { id } = await this.suppressions.remove(teamId, idOrEmail);
    return toResponse(RemovedSuppressionResponse, { id });
  }

  private addByHand(teamId: string, emails: readonly string[]): Promise<readonly string[]> {
    return this.suppressions.add(emails.map((email) => ({ teamId, email, origin: 'manual' as const, sourceId: null })));
  }
}

const summary = (suppression: Suppression): SuppressionSummaryResponse =>
  toResponse(SuppressionSummaryResponse, suppression);
