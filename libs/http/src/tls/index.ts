export type { Certificate } from './certificate.js';
export { chosenByName, HostCertificates } from './host-certificates.js';
export { PublicListeners } from './public-listeners.js';
export { TlsCertificate } from './tls-certificate.js';
export { TlsModule } from './tls.module.js';
