export { InboxAddresses } from './application/receiving-addresses.query.js';
export {
  InboxesHttpModule,
  InboxesModule,
  InboxesPrivacyModule,
  InboxesWorkerModule,
  ReceivingAddressesModule,
} from './inboxes.module.js';
export { inboxesSchema } from './infrastructure/persistence/schema.js';
