export type { Certificate } from './certificate.js';
export { TlsCertificate } from './tls-certificate.js';
export { TlsModule } from './tls.module.js';
