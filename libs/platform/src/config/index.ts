export { Config, ConfigError, describeVariables, readConfig } from './config.js';
export type { ConfigValues } from './config.js';
export type { TransportKind } from './settings/delivery-settings.js';
export type { MessageStoreKind, Role } from './settings/process-settings.js';
export type { ListenAddress, Region, SmtpListenAddress } from './addresses.js';
export { urlsOfHosts } from './addresses.js';
export { InstallationFacts } from './installation-facts.js';
export { ConfigModule } from './config.module.js';
