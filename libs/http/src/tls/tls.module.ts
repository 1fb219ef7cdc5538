import { Global, Module } from '@nestjs/common';
import { PublicListeners } from './public-listeners.js';
import { TlsCertificate } from './tls-certificate.js';

/** Needs `HostCertificates`, which the certificates lib provides. */
@Global()
@Module({ providers: [PublicListeners, TlsCertificate], exports: [PublicListeners, TlsCertificate] })
export class TlsModule {}
