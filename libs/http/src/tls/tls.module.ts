import { Global, Module } from '@nestjs/common';
import { TlsCertificate } from './tls-certificate.js';

@Global()
@Module({ providers: [TlsCertificate], exports: [TlsCertificate] })
export class TlsModule {}
