import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Cells } from '#cells';
import { CreateDomain } from '#domains';
import { MakeOwner } from '#accounts';
import { Teams } from '#identity';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';

export interface FirstStart {
  /** Shown only once. */
  readonly apiKey: string;
}

/** The path and token of the link with which the first owner is made; undefined once there is one. */
export async function ownerLink(app: NestFastifyApplication, config: Config): Promise<string | undefined> {
  if (!config.has('api') || !app.get(Cells, { strict: false }).isHome) return undefined;
  const token = await app.get(MakeOwner, { strict: false }).openToken();
  // After `#`, so that no log of a server or a proxy has it.
  return token === undefined ? undefined : `/app/owner#${token}`;
}

/** The domain from which email can be sent before DNS is set up. `.test` is reserved (RFC 6761), so nobody owns it. */
export const sandboxDomain = 'sandbox.postrider.test';

/**
 * At the very first start, creates a team, an API key and the sandbox domain. Only the api role does so: in a cluster the
 * other roles may start first, and they do not know the key that is given to api.
 */
export async function bootstrap(app: NestFastifyApplication, config: Config): Promise<FirstStart | undefined> {
  if (!app.get(Cells, { strict: false }).isHome) return undefined;
  const { bootstrapApiKey } = config.values;
  const createDomain = app.get(CreateDomain);
  const teams = app.get(Teams);
  const made = !config.has('api')
    ? undefined
    : await teams.createFirst(bootstrapApiKey, async ({ id }, transaction) => {
        await createDomain.createSandbox(id, sandboxDomain, transaction);
      });
  if (made !== undefined) return { apiKey: made.token };
  if (bootstrapApiKey !== undefined && (await teams.isIgnored(bootstrapApiKey))) {
    app
      .get(Logger)
      .warn('BOOTSTRAP_API_KEY is not a key of this installation: it is only used at the very first start');
  }
  return undefined;
}
