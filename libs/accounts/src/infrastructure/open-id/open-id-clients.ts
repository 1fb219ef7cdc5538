import { OutboundHttp } from '#http/outbound';
import { Config, OidcProvider } from '#platform/config';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { ShownProvider, SignInProviders } from '../../application/ports/sign-in-providers.port.js';
import { OpenIdClient } from './open-id-client.js';

/** The OpenID providers with which people may sign in: Google and those of `OIDC_PROVIDERS`. */
@Injectable()
export class OpenIdClients extends SignInProviders implements OnApplicationShutdown {
  /** The operator named the issuers, and many are in the network of the service. */
  private readonly own = new OutboundHttp({ allows: () => true });
  readonly all: readonly OpenIdClient[];

  constructor(config: Config, http: OutboundHttp) {
    super();
    this.all = openIdProviders(config).map((provider) => new OpenIdClient(provider, this.own, http));
  }

  get shown(): readonly ShownProvider[] {
    return this.all.map(({ provider: { id, name, logo } }) => ({ id, name, logo }));
  }

  logoutClaims(id: string, token: string): ReturnType<SignInProviders['logoutClaims']> {
    return this.all.find(({ provider }) => provider.id === id)?.logoutClaims(token);
  }

  ask(): ReturnType<SignInProviders['ask']> {
    return Promise.all(
      this.all.map(async (client) => {
        const { name, issuer } = client.provider;
        const trouble = await client.discover().then(
          () => undefined,
          (error: Error) => error.message,
        );
        return { name, issuer, trouble };
      }),
    );
  }

  onApplicationShutdown(): void {
    this.own.close();
  }
}

function openIdProviders({ values }: Config): readonly OidcProvider[] {
  const { googleClientId, googleClientSecret, googleIssuer = 'https://accounts.google.com', oidcProviders } = values;
  if (googleClientId === undefined || googleClientSecret === undefined) return oidcProviders;
  const google = {
    id: 'google',
    name: 'Google',
    issuer: googleIssuer,
    clientId: googleClientId,
    clientSecret: googleClientSecret,
    logo: null,
    scopes: [],
    groupsClaim: 'groups',
    groups: {},
    trustsAddresses: false,
    domains: [],
  };
  return [google, ...oidcProviders];
}
