export { CertificateAuthority } from './application/ports/certificate-authority.port.js';
export { CertificateStore, type HostCertificateView } from './application/ports/certificate-store.port.js';
export { CertificatesModule, CertificatesWorkerModule } from './certificates.module.js';
export { revokeCertificate } from './infrastructure/persistence/revoke-certificate.js';
export { certificatesSchema } from './infrastructure/persistence/schema.js';
