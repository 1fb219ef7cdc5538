import { audienceSchema } from '#audience';
import { accountsSchema } from '#accounts';
import { auditSchema } from '#audit';
import { automationsSchema } from '#automations';
import { broadcastsSchema } from '#broadcasts';
import { certificatesSchema } from '#certificates';
import { contactImportsSchema } from '#contact-imports';
import { deliverySchema } from '#delivery';
import { mxSchema } from '#mx';
import { domainsSchema } from '#domains';
import { editorSchema } from '#editor';
import { emailsSchema } from '#emails';
import { feedbackSchema } from '#feedback';
import { idempotencySchema } from '#idempotency';
import { imagesSchema } from '#images';
import { identitySchema } from '#identity';
import { inboundSchema } from '#inbound';
import { inboundRoutesSchema } from '#inbound-routes';
import { inboxesSchema } from '#inboxes';
import { insightsSchema } from '#insights';
import { liveSchema } from '#live';
import { oauthSchema } from '#oauth';
import { noticesSchema } from '#notices';
import { OwnedSchema, sharedSchema } from '#postgres/database';
import { privacySchema } from '#privacy';
import { providerReportsSchema } from '#provider-reports';
import { rateLimitSchema } from '#rate-limit';
import { reportsSchema } from '#reports';
import { reputationSchema } from '#reputation';
import { requestLogsSchema } from '#request-logs';
import { sandboxSchema } from '#sandbox';
import { suppressionsSchema } from '#suppressions';
import { templatesSchema } from '#templates';
import { unsubscribeSchema } from '#unsubscribe';
import { webhooksSchema } from '#webhooks';

/** The table in which the applied migrations are recorded. */
const serverSchema: OwnedSchema = { owner: 'apps/server', tables: ['migrations'] };

/** The tables and SQL definitions of all libs. A lib comes after the libs whose views its definitions read. */
export const schemas: readonly OwnedSchema[] = [
  serverSchema,
  sharedSchema,
  identitySchema,
  auditSchema,
  accountsSchema,
  oauthSchema,
  domainsSchema,
  certificatesSchema,
  suppressionsSchema,
  audienceSchema,
  templatesSchema,
  unsubscribeSchema,
  contactImportsSchema,
  idempotencySchema,
  rateLimitSchema,
  emailsSchema,
  broadcastsSchema,
  editorSchema,
  imagesSchema,
  deliverySchema,
  mxSchema,
  feedbackSchema,
  inboundSchema,
  reportsSchema,
  inboundRoutesSchema,
  inboxesSchema,
  automationsSchema,
  providerReportsSchema,
  insightsSchema,
  reputationSchema,
  webhooksSchema,
  requestLogsSchema,
  privacySchema,
  noticesSchema,
  liveSchema,
  sandboxSchema,
];

/** All views, functions and triggers, in the order in which they are installed. */
export const definitions = schemas.flatMap((schema) => schema.definitions ?? []);

/** The tables whose partitions follow the day of an id. */
export const partitionedTables = schemas.flatMap((schema) => schema.partitioned ?? []);

/** How many days ahead partitions are created. */
export const partitionDaysAhead = 7;
