import { AuditTrail } from '#audit';
import { checkDisplayName, MissingFieldError } from '#kernel';
import { Config } from '#platform/config';
import { decodeBody, toResponse } from '#http/server';
import { Describes, Operation, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { InvalidInvitationError, OtherAddressError, checkPassword, parseUserAddress } from '../../domain/invitation.js';
import { TooManyMembersError } from '../../domain/team-rules.js';
import { AccountExistsError } from '../../application/new-users.js';
import { PasswordSignInOffError } from '../../domain/accounts-errors.js';
import { PasswordPolicy, SignInProviders } from '../../application/ports/sign-in-providers.port.js';
import { AcceptInvitation } from '../../application/accept-invitation.use-case.js';
import { InvalidOwnerLinkError, MakeOwner } from '../../application/make-owner.use-case.js';
import { AuthLimits, TooManyAttemptsError } from './auth-limits.js';
import { RequestUsers } from './request-users.js';
import { SameOrigin } from './same-origin.js';
import { AcceptInvitationRequest, InvitationTokenRequest, MakeOwnerRequest } from './team.request.js';
import {
  JoinedTeamResponse,
  MadeOwnerResponse,
  ShownInvitationResponse,
  SignInMethodsResponse,
} from './team.response.js';

/** What people need who are not signed in: how to sign in, the first owner, and invitations. */
@Controller()
@Describes('Me')
export class WelcomeController {
  // oxlint-disable-next-line max-params -- the doors for people without a session
  constructor(
    private readonly config: Config,
    private readonly makeOwner: MakeOwner,
    private readonly invitations: AcceptInvitation,
    private readonly users: RequestUsers,
    private readonly passwords: PasswordPolicy,
    private readonly openId: SignInProviders,
    private readonly limits: AuthLimits,
    private readonly sameOrigin: SameOrigin,
    private readonly trail: AuditTrail,
  ) {}

  @Get('sign-in-methods')
  @Operation('Get the ways to sign in', 'What the sign-in page shows. Needs no API key and no session.')
  @Responses(SignInMethodsResponse, 'The ways.')
  async getSignInMethods(): Promise<SignInMethodsResponse> {
    const { signUp, githubClientId } = this.config.values;
    const github = { id: 'github', name: 'GitHub', logo: null };
    const providers = githubClientId === undefined ? this.openId.shown : [...this.openId.shown, github];
    return {
      object: 'sign_in_methods',
      sign_up: signUp,
      password: !this.passwords.isOff,
      providers: providers.map(({ id }) => id),
      provider_buttons: providers,
      needs_owner: (await this.makeOwner.openToken()) !== undefined,
    };
  }

  @Post('owner')
  @Operation(
    'Make the first owner',
    'Makes the first user from the link that the program prints at its start: the owner of the first team ' +
      'and an operator. It works once.',
  )
  @Takes(MakeOwnerRequest, 'The link and the owner.')
  @Responses(MadeOwnerResponse, 'Made. Sign in now.', { status: 201 })
  @Refuses(() => [
    new MissingFieldError('token'),
    () => parseUserAddress('nobody'),
    () => checkDisplayName(''),
    () => checkPassword(''),
    new InvalidOwnerLinkError(),
    new TooManyAttemptsError(),
  ])
  async createOwner(@Req() request: FastifyRequest, @Body() body: unknown) {
    this.sameOrigin.check(request);
    const { token, ...person } = decodeBody(MakeOwnerRequest, body, ['token', 'email', 'name', 'password']);
    const attempt = await this.limits.beginGuess(request);
    const id = await this.makeOwner.make(token, person);
    await attempt.succeeded();
    await this.record(request, 'owner.create', id, null);
    return toResponse(MadeOwnerResponse, { id });
  }

  @Post('invitations/show')
  @Operation('Look at an invitation', 'For whoever has the link of the mail. Needs no API key and no session.')
  @Takes(InvitationTokenRequest, 'The link.')
  @Responses(ShownInvitationResponse, 'The invitation.')
  @Refuses(() => [new InvalidInvitationError(), new TooManyAttemptsError()])
  async showInvitation(@Req() request: FastifyRequest, @Body() body: unknown): Promise<ShownInvitationResponse> {
    const { token } = decodeBody(InvitationTokenRequest, body, ['token']);
    const attempt = await this.limits.beginGuess(request);
    const { teamName, email, role, hasAccount } = await this.invitations.show(token);
    await attempt.succeeded();
    return {
      object: 'team_invitation',
      team_name: teamName,
      email,
      role,
      has_account: hasAccount || this.passwords.isOffFor(email),
    };
  }

  @Post('invitations/accept')
  @Operation(
    'Accept an invitation',
    'Joins the team. Signed in with the invited address, only the token is needed; otherwise a name and a ' +
      'password make the account.',
  )
  @Takes(AcceptInvitationRequest, 'The link, and the account where there is none yet.')
  @Responses(JoinedTeamResponse, 'Joined.')
  @Refuses(() => [
    new InvalidInvitationError(),
    new OtherAddressError(),
    new AccountExistsError(),
    new TooManyMembersError(),
    new PasswordSignInOffError(),
    () => checkDisplayName(''),
    () => checkPassword(''),
    new TooManyAttemptsError(),
  ])
  async acceptInvitation(@Req() request: FastifyRequest, @Body() body: unknown) {
    this.sameOrigin.check(request);
    const { token, name, password } = decodeBody(AcceptInvitationRequest, body, ['token']);
    const attempt = await this.limits.beginGuess(request);
    const user = this.users.hasSession(request) ? await this.users.identify(request) : undefined;
    const teamId =
      user === undefined ? await this.asNewUser(token, name, password) : await this.invitations.asUser(token, user);
    await attempt.succeeded();
    await this.record(request, 'team.members.join', user?.id ?? null, teamId);
    return toResponse(JoinedTeamResponse, { id: teamId });
  }

  private async asNewUser(token: string, name: string | undefined, password: string | undefined): Promise<string> {
    if (name === undefined) throw new MissingFieldError('name');
    if (password === undefined) throw new MissingFieldError('password');
    this.passwords.check((await this.invitations.show(token)).email);
    return this.invitations.asNewUser(token, { name, password });
  }

  private record(request: FastifyRequest, action: string, userId: string | null, teamId: string | null): Promise<void> {
    const actor = userId === null ? ({ kind: 'service' } as const) : ({ kind: 'user', id: userId } as const);
    return this.trail.record({ teamId, action, actor, address: request.ip, targetId: userId });
  }
}
