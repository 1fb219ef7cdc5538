import { ApiKeyGuard, CurrentCaller } from '#identity';
import type { Caller } from '#identity';
import { found, idFromPath, listAnswer, ListAnswer } from '#platform/http';
import { Answers, AnswersAll, DescribedBy } from '#platform/openapi';
import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ReadDomains } from '../../application/read-domains.query.js';
import { RotateDkimKeys } from '../../application/rotate-dkim-keys.use-case.js';
import { diagnosisAnswer, keyAnswer } from './domain.answer.js';
import { DiagnosisAnswer, DkimKeyAnswer } from './domain.answer-shape.js';

/** Our own additions: advice on records, and the keys of a domain. */
@Controller('domains/:id')
@UseGuards(ApiKeyGuard)
@DescribedBy(() => import('./description/diagnosis.description.js'))
export class DomainDiagnosisController {
  constructor(
    private readonly readDomains: ReadDomains,
    private readonly rotateDkimKeys: RotateDkimKeys,
  ) {}

  @Get('diagnosis')
  @Answers(DiagnosisAnswer)
  async diagnosis(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    const { domain, records } = found('Domain', await this.readDomains.diagnose(caller.teamId, idFromPath('id', id)));
    return diagnosisAnswer(domain, records);
  }

  @Get('dkim')
  @AnswersAll(DkimKeyAnswer)
  keys(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ListAnswer<object>> {
    return this.keyList(caller, idFromPath('id', id));
  }

  /** Begins a rotation, or answers for the one that is under way. */
  @Post('dkim/rotate')
  @HttpCode(200)
  @AnswersAll(DkimKeyAnswer)
  async rotate(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ListAnswer<object>> {
    const { id: domainId } = await this.rotateDkimKeys.execute(caller.teamId, idFromPath('id', id));
    return this.keyList(caller, domainId);
  }

  private async keyList(caller: Caller, id: string): Promise<ListAnswer<object>> {
    const keys = found('Domain', await this.readDomains.keys(caller.teamId, id));
    return listAnswer({ items: keys, hasMore: false }, keyAnswer);
  }
}
