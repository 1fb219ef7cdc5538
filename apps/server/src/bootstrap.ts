import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CreateDomain } from '#domains';
import { BootstrapTeam } from '#identity';
import { Config } from '#platform/config';
import { Logger } from '#platform/logging';

export interface FirstStart {
  /** Shown once and never again. */
  readonly apiKey: string;
}

/** The domain that can be sent from before any DNS has been set up. Reserved for tests (RFC 6761), so nobody has it. */
export const sandboxDomain = 'sandbox.postrider.test';

/**
 * On the first start of all: a team, an API key and the sandbox domain. Only the api role makes them: in a cluster the
 * other roles may be up first, and do not know the key that api is given.
 */
export async function bootstrap(app: NestFastifyApplication, config: Config): Promise<FirstStart | undefined> {
  const { bootstrapApiKey } = config.values;
  const createDomain = app.get(CreateDomain);
  const bootstrapTeam = app.get(BootstrapTeam);
  const team = !config.has('api')
    ? undefined
    : await bootstrapTeam.execute(bootstrapApiKey, async (teamId, transaction) => {
        await createDomain.createSandbox(teamId, sandboxDomain, transaction);
      });
  if (team !== undefined) return { apiKey: team.token };
  if (bootstrapApiKey !== undefined && (await bootstrapTeam.isIgnored(bootstrapApiKey))) {
    app
      .get(Logger)
      .warn('BOOTSTRAP_API_KEY is not a key of this installation: it counts at the first start of all, and not later');
  }
  return undefined;
}
