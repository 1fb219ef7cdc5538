import { TrackingCertificates } from '#domains';
import { HostCertificates } from '#http/tls';
import { Global, Module } from '@nestjs/common';
import { ObtainCertificates } from './application/obtain-certificates.use-case.js';
import { CertificateAuthority } from './application/ports/certificate-authority.port.js';
import { CertificateStore } from './application/ports/certificate-store.port.js';
import { AcmeAuthority } from './infrastructure/acme/acme-authority.js';
import { AuthorityHttp } from './infrastructure/acme/authority-http.js';
import { IssuedCertificates } from './infrastructure/issued-certificates.js';
import { AcmeAccounts } from './infrastructure/persistence/acme-accounts.js';
import {
  PostgresCertificateStore,
  StoredTrackingCertificates,
} from './infrastructure/persistence/postgres-certificate-store.js';
import { CertificateWorker } from './infrastructure/worker/certificate-worker.js';

/** The certificates that were issued. */
// oxlint-disable-next-line house/global-module -- It implements ports of the HTTP lib and of domains, which do not know it.
@Global()
@Module({
  providers: [
    { provide: HostCertificates, useClass: IssuedCertificates },
    { provide: TrackingCertificates, useClass: StoredTrackingCertificates },
    { provide: CertificateStore, useClass: PostgresCertificateStore },
    { provide: CertificateAuthority, useClass: AcmeAuthority },
    AcmeAccounts,
    AuthorityHttp,
  ],
  exports: [HostCertificates, TrackingCertificates, CertificateStore, CertificateAuthority],
})
export class CertificatesModule {}

/** Orders certificates. */
@Module({ providers: [ObtainCertificates, CertificateWorker] })
export class CertificatesWorkerModule {}
