import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. */
export const inboundRoutesSchema: OwnedSchema = {
  owner: 'inbound-routes',
  tables: ['inbound_routes', 'inbound_route_results'],
  observable: ['inbound_route_results'],
  definitions: sqlDefinitions('inbound-routes', import.meta.url, ['published-inbound-routes.view.sql']),
};
