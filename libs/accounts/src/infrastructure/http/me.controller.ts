import { Clock, DomainError, NotFoundError, ValidationError } from '#kernel';
import { InstallationFacts } from '#platform/config';
import { decodeBody, ListResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesAll, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConfirmUser, ReadMe, WrongPasswordError } from '../../application/own-account.use-case.js';
import { Sessions } from '../../application/ports/sign-in.port.js';
import { isRecent } from '../../domain/user.js';
import type { SessionUser } from '../../domain/user.js';
import { sessionId } from './example-ids.js';
import { AuthLimits, TooManyAttemptsError } from './auth-limits.js';
import { ConfirmRequest } from './me.request.js';
import {
  ConfirmedResponse,
  MeResponse,
  OwnUserResponse,
  RevokedSessionResponse,
  RevokedSessionsResponse,
  SessionResponse,
} from './me.response.js';
import { CurrentUser, UserGuard } from './user.guard.js';

@Controller('me')
@Describes('Me', 'The signed-in user. These operations take the cookie of a session; an API key is refused.')
@PathId('id', 'Id of the session.', sessionId, 'Session')
@UseGuards(UserGuard)
export class MeController {
  constructor(
    private readonly me: ReadMe,
    private readonly sessions: Sessions,
    private readonly confirmUser: ConfirmUser,
    private readonly limits: AuthLimits,
    private readonly clock: Clock,
    private readonly installation: InstallationFacts,
  ) {}

  @Get()
  @Operation('Get the signed-in user', 'The signed-in user, their teams, and what they may do in each.')
  @Responses(MeResponse, 'The user and the teams.')
  async getMe(@CurrentUser() user: SessionUser): Promise<MeResponse> {
    return {
      object: 'me',
      user: toResponse(OwnUserResponse, user, { is_confirmed: isRecent(user, this.clock.now()) }),
      teams: await this.me.teamsOf(user.id),
      installation: {
        is_sandbox: this.installation.isSandbox,
        smtp_ports: this.installation.smtpPorts.map(({ port, implicitTls }) => ({ port, implicit_tls: implicitTls })),
      },
    };
  }

  @Post('confirm')
  @Operation(
    'Confirm who you are',
    'Allows dangerous actions for 15 minutes. A user without a password signs in again instead.',
  )
  @Takes(ConfirmRequest, 'The password.')
  @Responses(ConfirmedResponse, 'Confirmed.')
  @Refuses(() => [
    new ValidationError('The `password` field must be a string.'),
    new WrongPasswordError(),
    new DomainError(
      new TooManyAttemptsError().kind,
      new TooManyAttemptsError().code,
      new TooManyAttemptsError().message,
    ),
  ])
  async confirmMe(@CurrentUser() user: SessionUser, @Req() request: FastifyRequest, @Body() body: unknown) {
    const { password } = decodeBody(ConfirmRequest, body, ['password']);
    const attempt = await this.limits.beginConfirmation(request, user.id);
    await this.confirmUser.confirm(user, password);
    await attempt.succeeded();
    return toResponse(ConfirmedResponse, { isConfirmed: true });
  }

  @Get('sessions')
  @Operation('List your sessions', 'Where you are signed in, newest first, at most 100.')
  @ResponsesAll(SessionResponse, 'The sessions.')
  async listSessions(@CurrentUser() user: SessionUser): Promise<ListResponse<SessionResponse>> {
    const sessions = await this.sessions.list(user.id);
    return {
      object: 'list',
      has_more: false,
      data: sessions.map((session) =>
        toResponse(SessionResponse, session, { is_current: session.id === user.sessionId }),
      ),
    };
  }

  @Delete('sessions')
  @Operation('End your other sessions', 'Ends all your sessions except the one of this request.')
  @Responses(RevokedSessionsResponse, 'They are ended.')
  async revokeOtherSessions(@CurrentUser() user: SessionUser): Promise<RevokedSessionsResponse> {
    return { object: 'sessions', revoked: await this.sessions.revokeOthers(user.id, user.sessionId) };
  }

  @Delete('sessions/:id')
  @Operation('End a session', 'Ends one of your sessions, at once and everywhere.')
  @Responses(RevokedSessionResponse, 'It is ended.')
  async revokeSession(@CurrentUser() user: SessionUser, @Param('id') sessionId: string) {
    if (!(await this.sessions.revoke(user.id, sessionId))) throw new NotFoundError('Session');
    return toResponse(RevokedSessionResponse, { id: sessionId, revoked: true });
  }
}
