import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CreateDomain } from '#domains';
import { BootstrapTeam } from '#identity';
import { Config } from '#platform/config';

export interface FirstStart {
  /** Shown once and never again. */
  readonly apiKey: string;
}

/** The domain that can be sent from before any DNS has been set up. Reserved for tests (RFC 6761), so nobody has it. */
export const sandboxDomain = 'sandbox.postrider.test';

/** On the first start of all: a team, an API key and the sandbox domain. */
export async function bootstrap(app: NestFastifyApplication, config: Config): Promise<FirstStart | undefined> {
  const createDomain = app.get(CreateDomain);
  const team = await app.get(BootstrapTeam).execute(config.values.bootstrapApiKey, async (teamId, transaction) => {
    await createDomain.createSandbox(teamId, sandboxDomain, transaction);
  });
  return team === undefined ? undefined : { apiKey: team.token };
}
