import { PermissionsOf } from '#identity';
import { Describes, Operation, QueryParameter, Responses } from '#http/openapi';
import { Controller, Get, Query } from '@nestjs/common';
import { ReadDiagnosis, ReadInstallation } from '../../application/read-installation.query.js';
import {
  InstallationDiagnosisResponse,
  diagnosisResponse,
  MachineRoomResponse,
  machineRoomResponse,
} from './machine-room.response.js';

/** The state of the installation, for its operator. The queue is beside it, in the delivery lib. */
@Controller('machine-room')
@Describes('Machine room')
@PermissionsOf('installation')
export class MachineRoomController {
  constructor(
    private readonly installation: ReadInstallation,
    private readonly diagnosis: ReadDiagnosis,
  ) {}

  @Get()
  @Operation(
    'Get the state of the installation',
    'PostgreSQL, the disk, the certificate, the flow of mail and the version. A reading is shared for a second.',
  )
  @Responses(MachineRoomResponse, 'The state.')
  async getMachineRoom() {
    return machineRoomResponse(await this.installation.state());
  }

  @Get('diagnosis')
  @Operation("Get the doctor's findings", 'What `npm run doctor` prints. The findings are kept for a minute.')
  @QueryParameter('fresh', '`true`: run the checks again, at most every five seconds.', { type: 'boolean' }, true)
  @Responses(InstallationDiagnosisResponse, 'The findings.')
  async getDiagnosis(@Query('fresh') fresh?: unknown) {
    return diagnosisResponse(await this.diagnosis.findings(fresh === 'true'));
  }
}
