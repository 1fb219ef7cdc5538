import { AccountsModule } from '#accounts';
import { DomainListings } from '#insights';
import { InboundModule } from '#inbound';
import { Diagnosis } from '#machine-room';
import { DomainsModule } from '#domains';
import { SendingAddressesModule } from '#mx';
import { ProviderReportsModule } from '#provider-reports';
import { Module } from '@nestjs/common';
import { AskedListings } from './asked-listings.js';
import { Blocklists } from './blocklists.js';
import { DoctorCheck } from './check.js';
import { BlocklistsCheck } from './checks/blocklists.check.js';
import { CertificatesCheck } from './checks/certificates.check.js';
import { ClockCheck } from './checks/clock.check.js';
import { DatabaseCheck } from './checks/database.check.js';
import { DiskCheck } from './checks/disk.check.js';
import { DomainsCheck } from './checks/domains.check.js';
import { HeloNameCheck } from './checks/helo-name.check.js';
import { HostNameCheck } from './checks/host-name.check.js';
import { Ipv6Check } from './checks/ipv6.check.js';
import { OpenIdCheck } from './checks/open-id.check.js';
import { Port25Check } from './checks/port-25.check.js';
import { ProviderReportsCheck } from './checks/provider-reports.check.js';
import { QueueCheck } from './checks/queue.check.js';
import { ReverseNameCheck } from './checks/reverse-name.check.js';
import { DoctorRounds } from './doctor-rounds.js';
import { DoctorServer } from './doctor-server.js';
import { LoopBack } from './loop-back.js';
import { DoctorChecks, RunDoctor } from './run-doctor.js';
import { SourceAddresses } from './source-addresses.js';

const checks = [
  DatabaseCheck,
  QueueCheck,
  DiskCheck,
  ClockCheck,
  Port25Check,
  Ipv6Check,
  HeloNameCheck,
  ReverseNameCheck,
  BlocklistsCheck,
  ProviderReportsCheck,
  HostNameCheck,
  CertificatesCheck,
  DomainsCheck,
  OpenIdCheck,
];

@Module({
  imports: [AccountsModule, DomainsModule, InboundModule, ProviderReportsModule, SendingAddressesModule],
  providers: [
    ...checks,
    {
      provide: DoctorChecks,
      inject: checks,
      useFactory: (...all: DoctorCheck[]): DoctorChecks => ({ all }),
    },
    Blocklists,
    SourceAddresses,
    { provide: DomainListings, useClass: AskedListings },
    RunDoctor,
    DoctorRounds,
    LoopBack,
    DoctorServer,
    {
      provide: Diagnosis,
      inject: [RunDoctor],
      useFactory: (doctor: RunDoctor): Diagnosis => ({ run: () => doctor.diagnose() }),
    },
  ],
  exports: [Diagnosis, DomainListings],
})
export class DoctorModule {}
