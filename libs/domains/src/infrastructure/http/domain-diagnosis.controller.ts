import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { ValidationError } from '#kernel';
import { found, listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesAll } from '#http/openapi';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { DomainBusyError, KeySlotOccupiedError } from '../../domain/domain-errors.js';
import { ChangeDomain } from '../../application/change-domain.use-case.js';
import { ReadDomains } from '../../application/read-domains.query.js';
import { domainId } from './example-ids.js';
import { diagnosisResponse, keyResponse } from './domain.response-builder.js';
import { DiagnosisResponse, DkimKeyResponse } from './domain.response.js';

/** Additions of Postrider: advice on records, and the keys of a domain. */
@Controller('domains/:id')
@Describes('Domains')
@PathId('id', 'Id of the domain.', domainId, 'Domain')
@PermissionsOf('domains')
export class DomainDiagnosisController {
  constructor(
    private readonly readDomains: ReadDomains,
    private readonly changeDomain: ChangeDomain,
  ) {}

  @Get('diagnosis')
  @Operation(
    'Diagnose a domain',
    'What the last check of the DNS found for each record, what is wrong with it, and what to do. An ' +
      'addition of Postrider.',
  )
  @Responses(DiagnosisResponse, 'The diagnosis.')
  async getDomainDiagnosis(@TeamId() teamId: string, @Param('id') id: string) {
    const { domain, records } = found('Domain', await this.readDomains.diagnose(teamId, id));
    return diagnosisResponse(domain, records);
  }

  @Get('dkim')
  @Operation(
    'List the DKIM keys of a domain',
    'The keys that sign the mail of a domain, have signed it, or are about to. An addition of Postrider.',
  )
  @ResponsesAll(DkimKeyResponse, 'The keys.')
  listDkimKeys(@CurrentPrincipal() principal: Principal, @Param('id') id: string) {
    return this.keyList(principal, id);
  }

  /** Begins a rotation if none is under way, and responds with the keys. */
  @Post('dkim/rotate')
  @Operation(
    'Rotate the DKIM keys of a domain',
    'Generates new keys. Each signs once its record has been seen; until then the current keys sign, for ' +
      'any length of time. Changes nothing while a rotation is under way. An addition of Postrider.',
  )
  @ResponsesAll(DkimKeyResponse, 'The keys, including the new ones.')
  @Refuses(() => [
    new ValidationError('The keys of a sandbox domain are not in the DNS.'),
    new KeySlotOccupiedError(),
    new DomainBusyError(),
  ])
  async rotateDkimKeys(@CurrentPrincipal() principal: Principal, @Param('id') id: string) {
    const { id: domainId } = await this.changeDomain.rotateKeys(principal.teamId, id);
    return this.keyList(principal, domainId);
  }

  private async keyList(principal: Principal, id: string): Promise<ListResponse<DkimKeyResponse>> {
    const keys = found('Domain', await this.readDomains.keys(principal.teamId, id));
    return listResponse({ items: keys, hasMore: false }, keyResponse);
  }
}
