import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { ValidationError } from '#kernel';
import { Describes, Operation, QueryParameter, Refuses, Responses } from '#http/openapi';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { SearchTeam } from '../../application/search-team.query.js';
import { maxSearchLength } from '../../domain/found-thing.js';
import { SearchResponse } from './search.response.js';

@Controller('search')
@Describes('Search', 'Finds what your team has by its name.')
@UseGuards(PrincipalGuard)
export class SearchController {
  constructor(private readonly team: SearchTeam) {}

  @Get()
  @Operation(
    'Search your team',
    'Up to five of each kind whose name has the text, in any case, those that begin with it first. Contacts are found by the ' +
      'beginning of an address or a name, everything else among the newest 2000 of a kind, and threads among the newest of ' +
      'your newest 20 inboxes. What you may not read is left out.',
  )
  @QueryParameter('q', 'The text.', { minLength: 1, maxLength: maxSearchLength }, 'ada')
  @Responses(SearchResponse, 'What was found.')
  @Refuses(() => [new ValidationError(`The \`q\` parameter must be text of 1 to ${maxSearchLength} characters.`)])
  @Requires('team:read')
  async search(@CurrentPrincipal() principal: Principal, @Query('q') q: unknown): Promise<SearchResponse> {
    const found = await this.team.find(principal, typeof q === 'string' ? q : '');
    const results = found.map(({ kind, id, name, detail, inboxId }) => ({
      object: kind,
      id,
      name,
      detail,
      inbox_id: inboxId,
    }));
    return { object: 'search', results };
  }
}
