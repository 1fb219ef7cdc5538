export { Config, ConfigError, describeVariables, readConfig } from './config.js';
export type { ConfigValues, MessageStoreKind, Role, TransportKind } from './config.js';
export type { ListenAddress, Region, SmtpListenAddress } from './variables.js';
export { ConfigModule } from './config.module.js';
