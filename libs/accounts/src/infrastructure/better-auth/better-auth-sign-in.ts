import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Injectable } from '@nestjs/common';
import { AccountMail } from '../../application/account-mail.js';
import { Memberships } from '../../application/ports/memberships.port.js';
import { OwnOrigin, SignIn, SignInRequest } from '../../application/ports/sign-in.port.js';
import { Users } from '../../application/ports/users.port.js';
import { FollowGroups } from '../../application/follow-groups.use-case.js';
import { OpenIdClients } from '../open-id/open-id-clients.js';
import { GithubSettings, SignUpPolicy, clientAddressHeader, ownOriginHeader } from './auth-settings.js';
import { AuthSecrets } from '../session-token.js';
import { unlessDatabaseTrouble } from './auth-dialect.js';
import { inContexts } from './async-contexts.js';
import { AuthLibrary, contextsOf, loadAuthLibrary } from './auth-library.js';
import { authOptions } from './auth-options.js';
import { PasswordHashes } from './password-hashes.js';
import { PasswordPolicy } from '../../application/ports/sign-in-providers.port.js';

/** A hash of a password that nobody has, so that a check without a user takes as long as one with. */
const nobodysPassword = 'no user has this password';

/** Signs in with better-auth, which is loaded with the first request. */
@Injectable()
export class BetterAuthSignIn extends SignIn {
  private loaded: Promise<{ readonly library: AuthLibrary; readonly auth: Auth }> | undefined;
  private nobodysHash: Promise<string> | undefined;

  // oxlint-disable-next-line max-params -- one for each thing that better-auth gets from this program
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly secrets: AuthSecrets,
    private readonly origin: OwnOrigin,
    private readonly mail: AccountMail,
    private readonly policy: SignUpPolicy,
    private readonly users: Users,
    private readonly memberships: Memberships,
    private readonly hashes: PasswordHashes,
    private readonly passwords: PasswordPolicy,
    private readonly openId: OpenIdClients,
    private readonly groups: FollowGroups,
    private readonly logger: Logger,
  ) {
    super();
  }

  async handle({ method, url, headers, body, address, origin }: SignInRequest): Promise<Response> {
    const { auth, library } = await this.load();
    const own = new Headers(headers);
    for (const name of [...own.keys()]) if (/^(?:x-|forwarded)/.test(name)) own.delete(name);
    own.set(clientAddressHeader, address);
    own.set(ownOriginHeader, origin);
    const request = new Request(new URL(url, this.origin.value), { method, headers: own, body });
    return inContexts(await contextsOf(library), () =>
      unlessDatabaseTrouble(() => this.hashes.chargedTo(address, () => auth.handler(request))),
    );
  }

  async createUser(user: { email: string; name: string; password: string }): Promise<string> {
    const { auth } = await this.load();
    const { adapter, internalAdapter } = await auth.$context;
    const password = await this.hashes.chargedToUser(user.email, () => this.hashes.hash(user.password));
    const now = new Date();
    const data = { email: user.email, name: user.name, emailVerified: true, createdAt: now, updatedAt: now };
    // Past the hooks, which are about people who sign up by themselves.
    const { id } = await adapter.create({ model: 'user', data });
    await internalAdapter.linkAccount({ userId: id, providerId: 'credential', accountId: id, password });
    return id;
  }

  async setPassword(userId: string, password: string): Promise<void> {
    const { auth } = await this.load();
    const { internalAdapter } = await auth.$context;
    const hash = await this.hashes.chargedToUser(userId, () => this.hashes.hash(password));
    const accounts = await internalAdapter.findAccounts(userId);
    const account = accounts.find(({ providerId }) => providerId === 'credential');
    if (account !== undefined) await internalAdapter.updatePassword(userId, hash);
    else await internalAdapter.linkAccount({ userId, providerId: 'credential', accountId: userId, password: hash });
    await internalAdapter.deleteUserSessions(userId);
    await this.memberships.endTools(userId);
  }

  async isPassword(userId: string, password: string): Promise<boolean> {
    const { auth } = await this.load();
    const { internalAdapter } = await auth.$context;
    const account = (await internalAdapter.findAccounts(userId)).find(({ providerId }) => providerId === 'credential');
    return this.hashes.chargedToUser(userId, async () => {
      const isRight = await this.hashes.verify(account?.password ?? (await this.hashOfNobody()), password);
      return isRight && account?.password != null;
    });
  }

  /** Made when it is first needed. A refusal is not kept. */
  private hashOfNobody(): Promise<string> {
    this.nobodysHash ??= this.hashes.hash(nobodysPassword).catch((error: unknown) => {
      this.nobodysHash = undefined;
      throw error;
    });
    return this.nobodysHash;
  }

  private load(): NonNullable<BetterAuthSignIn['loaded']> {
    this.loaded ??= this.create();
    this.loaded.catch(() => (this.loaded = undefined));
    return this.loaded;
  }

  private async create(): Promise<{ library: AuthLibrary; auth: Auth }> {
    const library = await loadAuthLibrary();
    const options = authOptions(
      {
        database: this.database,
        origin: this.origin.value,
        secrets: this.secrets.all,
        mail: this.mail,
        policy: this.policy,
        users: this.users,
        memberships: this.memberships,
        hashes: this.hashes,
        passwords: this.passwords,
        github: githubOf(this.config),
        openIdClients: this.openId.all,
        groups: this.groups,
        log: (level, message) => this.logger.debug({ level, message }, 'sign-in'),
        failed: (error) => this.logger.error({ error }, 'signing in failed'),
      },
      library,
    );
    return { library, auth: library.betterAuth(options) as unknown as Auth };
  }
}

/** The parts of better-auth that are used. Its own types depend on all options and take the compiler seconds. */
interface Auth {
  handler(request: Request): Promise<Response>;
  readonly $context: Promise<{
    readonly adapter: { create(row: { model: string; data: object }): Promise<{ readonly id: string }> };
    readonly internalAdapter: {
      linkAccount(account: object): Promise<unknown>;
      findAccounts(
        userId: string,
      ): Promise<readonly { readonly providerId: string; readonly password?: string | null }[]>;
      updatePassword(userId: string, hash: string): Promise<unknown>;
      deleteUserSessions(userId: string): Promise<unknown>;
    };
  }>;
}

function githubOf({ values }: Config): GithubSettings | undefined {
  const { githubClientId: clientId, githubClientSecret: clientSecret, githubUrl: url = 'https://github.com' } = values;
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret, url };
}
