import { Config } from '#platform/config';
import type { DatabaseAddress } from '#postgres/database';

/** The PostgreSQL that the configuration names; undefined if the embedded one is used. */
export function configuredDatabase({ values }: Config): DatabaseAddress | undefined {
  const { databaseUrl: url, databaseDirectUrl: directUrl, databaseReadUrl: readUrl } = values;
  return url === undefined ? undefined : { url, directUrl: directUrl ?? url, readUrl };
}
