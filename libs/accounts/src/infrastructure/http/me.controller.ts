import { Clock, NotFoundError } from '#kernel';
import { decodeBody, idFromPath, ListResponse, timestamp } from '#platform/http';
import { DescribedBy, Responses, ResponsesAll, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConfirmUser } from '../../application/confirm-user.use-case.js';
import { ReadMe } from '../../application/read-me.query.js';
import { Sessions } from '../../application/ports/sessions.port.js';
import { isRecent } from '../../domain/user.js';
import type { SessionUser } from '../../domain/user.js';
import { AuthLimits } from './auth-limits.js';
import { ConfirmRequest } from './me.request.js';
import {
  ConfirmedResponse,
  MeResponse,
  RevokedSessionResponse,
  RevokedSessionsResponse,
  SessionResponse,
} from './me.response.js';
import { CurrentUser, UserGuard } from './user.guard.js';

@Controller('me')
@UseGuards(UserGuard)
@DescribedBy(() => import('./description/me.description.js'))
export class MeController {
  constructor(
    private readonly me: ReadMe,
    private readonly sessions: Sessions,
    private readonly confirmUser: ConfirmUser,
    private readonly limits: AuthLimits,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Responses(MeResponse)
  async read(@CurrentUser() user: SessionUser): Promise<MeResponse> {
    return {
      object: 'me',
      user: {
        id: user.id,
        email: user.email,
        name: user.name,
        is_operator: user.isOperator,
        has_second_factor: user.hasSecondFactor,
        is_confirmed: isRecent(user, this.clock.now()),
      },
      teams: await this.me.teamsOf(user.id),
    };
  }

  @Post('confirm')
  @HttpCode(200)
  @Takes(ConfirmRequest)
  @Responses(ConfirmedResponse)
  async confirm(
    @CurrentUser() user: SessionUser,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
  ): Promise<ConfirmedResponse> {
    const { password } = decodeBody(ConfirmRequest, body, ['password']);
    const attempt = await this.limits.beginConfirmation(request, user.id);
    await this.confirmUser.execute(user, password);
    await attempt.succeeded();
    return { object: 'confirmation', is_confirmed: true };
  }

  @Get('sessions')
  @ResponsesAll(SessionResponse)
  async listSessions(@CurrentUser() user: SessionUser): Promise<ListResponse<SessionResponse>> {
    const sessions = await this.sessions.list(user.id);
    return {
      object: 'list',
      has_more: false,
      data: sessions.map((session) => ({
        id: session.id,
        created_at: timestamp(session.createdAt),
        last_seen_at: timestamp(session.lastSeenAt),
        address: session.address,
        user_agent: session.userAgent,
        is_current: session.id === user.sessionId,
      })),
    };
  }

  @Delete('sessions')
  @Responses(RevokedSessionsResponse)
  async revokeOthers(@CurrentUser() user: SessionUser): Promise<RevokedSessionsResponse> {
    return { object: 'sessions', revoked: await this.sessions.revokeOthers(user.id, user.sessionId) };
  }

  @Delete('sessions/:id')
  @Responses(RevokedSessionResponse)
  async revoke(@CurrentUser() user: SessionUser, @Param('id') id: string): Promise<RevokedSessionResponse> {
    const sessionId = idFromPath('id', id);
    if (!(await this.sessions.revoke(user.id, sessionId))) throw new NotFoundError('Session');
    return { object: 'session', id: sessionId, revoked: true };
  }
}
