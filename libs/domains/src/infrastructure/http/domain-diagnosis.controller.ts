import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { found, idFromPath, listAnswer, ListAnswer } from '#platform/http';
import { Answers, AnswersAll, DescribedBy } from '#platform/openapi';
import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ReadDomains } from '../../application/read-domains.query.js';
import { RotateDkimKeys } from '../../application/rotate-dkim-keys.use-case.js';
import { diagnosisAnswer, keyAnswer } from './domain.answer.js';
import { DiagnosisAnswer, DkimKeyAnswer } from './domain.answer-shape.js';

/** Our own additions: advice on records, and the keys of a domain. */
@Controller('domains/:id')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/diagnosis.description.js'))
export class DomainDiagnosisController {
  constructor(
    private readonly readDomains: ReadDomains,
    private readonly rotateDkimKeys: RotateDkimKeys,
  ) {}

  @Get('diagnosis')
  @Requires('domains:read')
  @Answers(DiagnosisAnswer)
  async diagnosis(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    const { domain, records } = found(
      'Domain',
      await this.readDomains.diagnose(principal.teamId, idFromPath('id', id)),
    );
    return diagnosisAnswer(domain, records);
  }

  @Get('dkim')
  @Requires('domains:read')
  @AnswersAll(DkimKeyAnswer)
  keys(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ListAnswer<object>> {
    return this.keyList(principal, idFromPath('id', id));
  }

  /** Begins a rotation, or answers for the one that is under way. */
  @Post('dkim/rotate')
  @Requires('domains:write')
  @HttpCode(200)
  @AnswersAll(DkimKeyAnswer)
  async rotate(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ListAnswer<object>> {
    const { id: domainId } = await this.rotateDkimKeys.execute(principal.teamId, idFromPath('id', id));
    return this.keyList(principal, domainId);
  }

  private async keyList(principal: Principal, id: string): Promise<ListAnswer<object>> {
    const keys = found('Domain', await this.readDomains.keys(principal.teamId, id));
    return listAnswer({ items: keys, hasMore: false }, keyAnswer);
  }
}
