import { IdentityModule } from '#identity';
import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { Disk, DiskGuard } from '#observability/disk';
import { TlsCertificate } from '#http/tls';
import { DynamicModule, Module, Type } from '@nestjs/common';
import { Installation } from './application/ports/installation.port.js';
import { ReadDiagnosis, ReadInstallation } from './application/read-installation.query.js';
import { MachineRoomController } from './infrastructure/http/machine-room.controller.js';
import { RunningInstallation } from './infrastructure/running-installation.js';

export interface MachineRoomOptions {
  /** Version of the program. */
  readonly version: string;
  /** The module that exports a `Diagnosis`. */
  readonly diagnosis: Type;
}

/** What the operator of the installation sees. */
@Module({})
export class MachineRoomHttpModule {
  static forRoot({ version, diagnosis }: MachineRoomOptions): DynamicModule {
    return {
      module: MachineRoomHttpModule,
      imports: [IdentityModule, diagnosis],
      controllers: [MachineRoomController],
      providers: [
        {
          provide: Installation,
          inject: [Config, Database, Disk, DiskGuard, TlsCertificate, Clock],
          useFactory: (
            config: Config,
            database: Database,
            port: Disk,
            guard: DiskGuard,
            certificate: TlsCertificate,
            clock: Clock,
          ) => new RunningInstallation(version, config, database, { port, guard }, certificate, clock),
        },
        ReadDiagnosis,
        ReadInstallation,
      ],
    };
  }
}
