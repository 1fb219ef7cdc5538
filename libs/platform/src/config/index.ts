export {
  Config,
  ConfigError,
  describeVariables,
  readConfig,
  type ConfigValues,
  InstallationFacts,
  ConfigModule,
} from './config.js';
export type { TransportKind } from './settings/delivery-settings.js';
export type { MessageStoreKind, Role } from './settings/process-settings.js';
export type { ListenAddress, Region, SmtpListenAddress, WireName } from './addresses.js';
export { urlsOfHosts } from './addresses.js';
export type { NoticeTarget } from './settings/operation-settings.js';
export type { OidcProvider } from './settings/oidc-providers.js';
