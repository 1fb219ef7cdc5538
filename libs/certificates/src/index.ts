export { CertificatesModule, CertificatesWorkerModule } from './certificates.module.js';
export { certificatesSchema } from './infrastructure/persistence/schema.js';
