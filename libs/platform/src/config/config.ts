import { DynamicModule, Global, Injectable, Module } from '@nestjs/common';
import { SmtpListenAddress } from './addresses.js';
import { accountSettings } from './settings/account-settings.js';
import { certificateSettings } from './settings/certificate-settings.js';
import { deliverySettings } from './settings/delivery-settings.js';
import { domainSettings } from './settings/domain-settings.js';
import { httpSettings } from './settings/http-settings.js';
import { inboundSettings } from './settings/inbound-settings.js';
import { operationSettings } from './settings/operation-settings.js';
import { processSettings, Role } from './settings/process-settings.js';
import { smtpSettings } from './settings/smtp-settings.js';
import { Defaulted, Variable } from './variables.js';

/** Every environment variable that the program reads. `docs/configuration.md` is generated from this list. */
export const variables = {
  ...httpSettings,
  ...processSettings,
  ...deliverySettings,
  ...domainSettings,
  ...smtpSettings,
  ...certificateSettings,
  ...inboundSettings,
  ...operationSettings,
  ...accountSettings,
} as const;

type Variables = typeof variables;
type ValueOf<V> =
  V extends Defaulted<infer Value> ? Value : V extends Variable<infer Value> ? Value | undefined : never;
export type ConfigValues = { readonly [Key in keyof Variables]: ValueOf<Variables[Key]> };

/** The validated configuration. It is read once at the start and injected where a setting is needed. */
export class Config {
  constructor(readonly values: ConfigValues) {}

  /** Whether this process has the role. With WORKERS, other processes are the workers. */
  has(role: Role): boolean {
    return this.values.roles.includes(role) && !(role === 'worker' && this.values.workers > 0);
  }

  /** Whether this process delivers mail. */
  get delivers(): boolean {
    return this.has('worker') || this.has('delivery');
  }
}

/** Some variables are invalid. The message lists all problems, one per line. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const entries = Object.entries(variables).map(([key, variable]: [string, Variable<unknown>]) => {
    const given = environment[variable.name];
    const source = given === undefined || given === '' ? variable.defaultText : given;
    if (source === undefined) return [key, undefined] as const;
    try {
      return [key, variable.parse(source)] as const;
    } catch (error) {
      problems.push(`${variable.name} ${(error as Error).message}`);
      return [key, undefined] as const;
    }
  });
  const values = Object.fromEntries(entries) as ConfigValues;
  if (problems.length === 0) problems.push(...conflicts(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return new Config(Object.freeze(values));
}

function conflicts(values: ConfigValues): string[] {
  const problems: string[] = [];
  if (values.databaseUrl !== undefined && values.secretKey === undefined) {
    problems.push('SECRET_KEY is required with DATABASE_URL: every process must have the same one');
  }
  if (values.databaseReadUrl !== undefined && values.databaseUrl === undefined) {
    problems.push('DATABASE_READ_URL needs DATABASE_URL');
  }
  if (values.databaseDirectUrl !== undefined && values.databaseUrl === undefined) {
    problems.push('DATABASE_DIRECT_URL can be used only with DATABASE_URL');
  }
  if (values.deliveryTransport === 'relay' && values.relayUrl === undefined) {
    problems.push('RELAY_URL is required with DELIVERY_TRANSPORT=relay');
  }
  if (values.messageStore === 's3' && values.s3Url === undefined) {
    problems.push('S3_URL is required with MESSAGE_STORE=s3');
  }
  if (values.noticesTo !== undefined && values.noticesFrom === undefined) {
    problems.push('NOTICES_FROM is required with NOTICES_TO: an address of a domain that is verified in this service');
  }
  if (values.region !== undefined && !values.regions.some(({ name }) => name === values.region)) {
    problems.push('REGION must be one of REGIONS');
  }
  if (values.wireHosts.some(({ wire }) => !values.wires.includes(wire))) {
    problems.push('WIRE_HOSTS must name wires of WIRES');
  }
  problems.push(...cellConflicts(values));
  if (values.regions.length === 0) problems.push('REGIONS must name at least one region');
  if ((values.tlsCertFile === undefined) !== (values.tlsKeyFile === undefined)) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE can be used only together');
  }
  if (values.tlsAcme === 'on' && values.tlsAcmeEmail === undefined) {
    problems.push('TLS_ACME_EMAIL is required with TLS_ACME=on: the certificate authority wants an address');
  }
  if (values.smtpProxyProtocol && values.trustedProxies.length === 0) {
    problems.push('TRUSTED_PROXIES is required with SMTP_PROXY_PROTOCOL: nobody else may name the client');
  }
  if (values.roles.length === 0) problems.push('ROLES must name at least one role');
  if (values.workers > 0 && !values.roles.includes('worker')) {
    problems.push('WORKERS can be used only where ROLES includes worker');
  }
  if (values.bootstrapApiKey !== undefined && !/^re_[A-Za-z0-9_]{16,128}$/.test(values.bootstrapApiKey)) {
    problems.push('BOOTSTRAP_API_KEY must be re_ and at least 16 letters, digits or _');
  }
  problems.push(...accountConflicts(values));
  return problems;
}

function cellConflicts({ cells, cell, regions }: ConfigValues): string[] {
  if (cells.length === 0) return cell === undefined ? [] : ['CELL needs CELLS'];
  const problems: string[] = [];
  if (!cells.some(({ name }) => name === cell)) problems.push('CELL must be one of CELLS');
  if (cells.some(({ name }) => !regions.some((region) => region.name === name))) {
    problems.push('CELLS must name regions of REGIONS');
  }
  return problems;
}

function accountConflicts(values: ConfigValues): string[] {
  const problems: string[] = [];
  if ((values.googleClientId === undefined) !== (values.googleClientSecret === undefined)) {
    problems.push('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET can be used only together');
  }
  if ((values.githubClientId === undefined) !== (values.githubClientSecret === undefined)) {
    problems.push('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET can be used only together');
  }
  const isOff = values.passwordSignIn === 'off' || values.passwordSignInOffDomains.length > 0;
  const others = [...values.oidcProviders, values.googleClientId, values.githubClientId];
  if (isOff && others.every((provider) => provider === undefined)) {
    problems.push('PASSWORD_SIGN_IN=off and PASSWORD_SIGN_IN_OFF_DOMAINS need OIDC_PROVIDERS, Google or GitHub');
  }
  if (values.operatorApiKey !== undefined && !/^op_[A-Za-z0-9_]{32,128}$/.test(values.operatorApiKey)) {
    problems.push('OPERATOR_API_KEY must be op_ and at least 32 letters, digits or _');
  }
  return problems;
}

/** The table of `docs/configuration.md`, in Markdown. */
export function describeVariables(): string {
  const rows = Object.values(variables).map(
    (variable: Variable<unknown>) =>
      `| \`${variable.name}\` | ${variable.defaultText ? `\`${variable.defaultText}\`` : ''} | ${variable.description} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** What its users must know about this installation. */
@Injectable()
export class InstallationFacts {
  private opened: readonly SmtpListenAddress[] | undefined;

  constructor(private readonly config: Config) {}

  /** Whether no mail leaves the machine. */
  get isSandbox(): boolean {
    return this.config.values.deliveryTransport === 'sandbox';
  }

  /** The open SMTP ports of this process; without any, those that another process of the installation is configured to open. */
  get smtpPorts(): readonly SmtpListenAddress[] {
    return this.opened ?? this.config.values.smtpListen;
  }

  smtpOpened(addresses: readonly SmtpListenAddress[]): void {
    this.opened = addresses;
  }
}

@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, InstallationFacts],
      exports: [Config, InstallationFacts],
    };
  }
}
